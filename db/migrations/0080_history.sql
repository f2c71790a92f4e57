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
alter table history_chunks alter column payload set storage external;
alter table history_chunks enable row level security, force row level security;
create policy system_rows on history_chunks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on history_chunks to app_system;

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
alter table history_revisions enable row level security, force row level security;
create policy system_rows on history_revisions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on history_revisions to app_system;

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
alter table history_broken_chunks enable row level security, force row level security;
create policy system_rows on history_broken_chunks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on history_broken_chunks to app_system;

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
alter table history_fundings enable row level security, force row level security;
create policy system_rows on history_fundings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on history_fundings to app_system;

-- First and last appearance of each contract in the lists of its exchange.
create table history_listings (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  listed_at timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  -- Rules of the contract as it was last listed: an exchange gives none for a contract that it has ended, and a test of the past needs them.
  rules jsonb check (jsonb_typeof(rules) = 'object'),
  primary key (source, exchange, symbol)
);
alter table history_listings enable row level security, force row level security;
create policy system_rows on history_listings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (listed_at, last_seen_at, ended_at, rules) on history_listings to app_system;

-- Symbols that were listed on a day.
create table history_universes (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  day date not null,
  symbols text[] not null,
  primary key (source, exchange, day)
);
alter table history_universes enable row level security, force row level security;
create policy system_rows on history_universes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (symbols) on history_universes to app_system;

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
alter table history_backfills enable row level security, force row level security;
create policy system_rows on history_backfills to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on history_backfills to app_system;

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
alter table history_failures enable row level security, force row level security;
create policy system_rows on history_failures to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on history_failures to app_system;

-- What followed each chart pattern on the stored candles, replayed by series. The figures follow from candles and engine, so a row is
-- replaced when one of them changes; no row belongs to a user.
create table pattern_records (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (interval in ('15m', '1h', '4h')),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  horizon_candles integer not null check (horizon_candles >= 1),
  -- Opens of the first and the last candle read.
  window_from timestamptz not null,
  window_to timestamptz not null,
  -- Candles with a close `horizon_candles` later, and how often that was above and below their own.
  candle_count integer not null check (candle_count >= 0),
  higher_count integer not null check (higher_count between 0 and candle_count),
  lower_count integer not null check (lower_count between 0 and candle_count - higher_count),
  -- By pattern id: {"bullish": {"count", "followedCount"}, "bearish": ...}.
  patterns jsonb not null check (jsonb_typeof(patterns) = 'object' and pg_column_size(patterns) <= 32768),
  created_at timestamptz not null default now(),
  check (window_from <= window_to),
  primary key (source, exchange, symbol, interval)
);
create index pattern_records_interval on pattern_records (source, interval);
alter table pattern_records enable row level security, force row level security;
create policy system_rows on pattern_records to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on pattern_records to app_system;
