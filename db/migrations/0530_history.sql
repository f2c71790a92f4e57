-- The candle store: closed candles of the exchanges, packed by series and UTC month. No row belongs to a user. `source` is the market
-- that the data comes from: `live`, or a simulated or recorded one with its seed, so that worlds never mix.
create table history_chunks (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  price text not null check (price in ('last', 'mark')),
  month date not null check (extract(day from month) = 1),
  -- Lossless columns; the checksum covers the name of the chunk too.
  payload bytea not null,
  sha256 bytea not null check (length(sha256) = 32),
  candle_count integer not null check (candle_count >= 0),
  first_at timestamptz,
  last_at timestamptz,
  -- Opens that were requested from the exchange: pairs of first and last, epoch ms. A bar that is missing within them was not sent.
  covered double precision[] not null check (cardinality(covered) % 2 = 0),
  revised_count integer not null default 0 check (revised_count >= 0),
  written_at timestamptz not null default now(),
  primary key (source, exchange, symbol, interval, price, month),
  check ((candle_count = 0) = (first_at is null) and (candle_count = 0) = (last_at is null))
);
-- Already compressed.
alter table history_chunks alter column payload set storage external;

-- A closed candle that the exchange sent with other values later. The chunk keeps the first version, each later one is a row.
create table history_revisions (
  source text not null,
  exchange exchange_id not null,
  symbol text not null,
  interval text not null,
  price text not null,
  opens_at timestamptz not null,
  revision integer not null check (revision >= 1),
  open double precision not null,
  high double precision not null,
  low double precision not null,
  close double precision not null,
  volume double precision not null,
  noticed_at timestamptz not null default now(),
  primary key (source, exchange, symbol, interval, price, opens_at, revision)
);
create trigger history_revisions_rows before update or delete on history_revisions
  for each row execute function refuse_change();
create trigger history_revisions_truncate before truncate on history_revisions
  for each statement execute function refuse_truncate();

-- Chunks whose checksum did not match. They are set aside and requested again.
create table history_broken_chunks (
  id bigint generated always as identity primary key,
  source text not null,
  exchange exchange_id not null,
  symbol text not null,
  interval text not null,
  price text not null,
  month date not null,
  payload bytea not null,
  sha256 bytea not null,
  reason text not null check (length(reason) between 1 and 300),
  detected_at timestamptz not null default now()
);
create index history_broken_chunks_series on history_broken_chunks (source, exchange, symbol, detected_at desc);

-- Settled fundings by UTC year: stamps and rates as float64.
create table history_fundings (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  year integer not null check (year between 2009 and 2200),
  payload bytea not null,
  sha256 bytea not null check (length(sha256) = 32),
  funding_count integer not null check (funding_count >= 0),
  -- Spans that were requested, epoch ms: pairs of start (included) and end (excluded).
  covered double precision[] not null check (cardinality(covered) % 2 = 0),
  written_at timestamptz not null default now(),
  primary key (source, exchange, symbol, year)
);

create table history_listings (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  listed_at timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  primary key (source, exchange, symbol)
);

create table history_universes (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  day date not null,
  symbols text[] not null,
  primary key (source, exchange, day)
);

-- Progress of the back-fill by exchange, for the status page and the operator.
create table history_backfills (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  state text not null check (state in ('running', 'waiting', 'complete', 'failed')),
  stored_count integer not null check (stored_count >= 0),
  total_count integer not null check (total_count >= stored_count),
  error_code text check (length(error_code) <= 60),
  error_message text check (length(error_message) <= 300),
  error_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (source, exchange)
);

-- Parts that an exchange did not deliver, with the time of the next attempt.
create table history_failures (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  part text not null check (length(part) between 1 and 40),
  code text not null check (length(code) between 1 and 60),
  message text not null check (length(message) <= 300),
  failure_count integer not null check (failure_count >= 1),
  failed_at timestamptz not null default now(),
  try_at timestamptz not null,
  primary key (source, exchange, symbol, part)
);

do $$
declare
  name text;
begin
  foreach name in array array['history_chunks', 'history_revisions', 'history_broken_chunks', 'history_fundings', 'history_listings',
    'history_universes', 'history_backfills', 'history_failures'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_rows on %I to app_system using (current_user = ''app_system'')
      with check (current_user = ''app_system'')', name);
    execute format('grant select, insert on %I to app_system', name);
  end loop;
end $$;
grant update, delete on history_chunks, history_fundings, history_backfills, history_failures to app_system;
grant update (listed_at, last_seen_at, ended_at) on history_listings to app_system;
grant update (symbols) on history_universes to app_system;
