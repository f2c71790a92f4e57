-- Scans, what they found, and the record of every signal.

create table scans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 262144),
  -- {best, all}; null until the scan is done.
  results jsonb check (jsonb_typeof(results) = 'object' and pg_column_size(results) <= 8388608),
  -- The hold that pays for it. No foreign key: entries of the ledger and scans go with their account, in no particular order.
  credit_ref uuid not null,
  failure text check (length(failure) between 1 and 500),
  started_at timestamptz,
  finished_at timestamptz,
  check ((status = 'done') = (results is not null))
);
create index scans_user_created on scans (user_id, created_at desc);
create unique index scans_credit_ref on scans (credit_ref);

-- Every signal a scan produced, once, whoever asked: the same candles and rules give the same signal. It names nobody, so it stays
-- when an account goes, and nobody can take back what turned out badly.
create table signals (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  candle_close_at timestamptz not null,
  direction text not null check (direction in ('LONG', 'SHORT')),
  score double precision not null check (score between -1 and 1),
  raw_confidence double precision not null check (raw_confidence between 0 and 1),
  confidence double precision not null check (confidence between 0 and 1),
  price double precision not null check (price > 0),
  stop_loss double precision not null check (stop_loss > 0),
  take_profit double precision not null check (take_profit > 0),
  horizon_minutes double precision not null check (horizon_minutes > 0),
  risk_label text not null check (risk_label in ('LOW', 'STANDARD', 'HIGH', 'EXTREME')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 16384),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  params_hash text not null check (params_hash ~ '^[0-9a-f]{64}$'),
  unique (exchange, market, symbol, interval, candle_close_at, engine_hash, data_hash, params_hash)
);
create index signals_created on signals (created_at desc);

-- What became of a signal, by the rule of docs/performance.md. One row, once it is known.
create table signal_outcomes (
  signal_id uuid primary key references signals (id),
  created_at timestamptz not null default now(),
  outcome text not null check (outcome in ('TP', 'SL', 'TIME')),
  entry_price double precision not null check (entry_price > 0),
  exit_price double precision not null check (exit_price > 0),
  exit_at timestamptz not null,
  gross_fraction double precision not null,
  fees_fraction double precision not null check (fees_fraction >= 0),
  net_fraction double precision not null,
  is_ambiguous boolean not null,
  -- Length of the candles it was judged on.
  basis text not null check (basis in ('1m', '5m', '15m', '1h', '4h', '1d'))
);

-- Each symbol and interval a scan looked at, with the one thing that became of it.
create table scan_candidates (
  scan_id uuid not null references scans (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  -- '*' for a symbol that was left out before its intervals were looked at.
  interval text not null check (interval in ('15m', '1h', '4h', '*')),
  outcome text not null check (outcome in ('ELIGIBLE', 'NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH')),
  filtered_by text check (filtered_by ~ '^[a-z_]{1,40}$'),
  confidence double precision check (confidence between 0 and 1),
  signal_id uuid references signals (id),
  created_at timestamptz not null default now(),
  primary key (scan_id, symbol, interval),
  check ((outcome in ('NO_MATCH', 'LOW_CONF')) = (filtered_by is not null))
);
create index scan_candidates_user_created on scan_candidates (user_id, created_at);
create index scan_candidates_signal on scan_candidates (signal_id);

create table signal_tuning (
  user_id uuid primary key references users (id) on delete cascade,
  adx double precision not null default 1 check (adx between 0.5 and 1.5),
  supertrend double precision not null default 1 check (supertrend between 0.5 and 1.5),
  ema_cross double precision not null default 1 check (ema_cross between 0.5 and 1.5),
  sma_cross double precision not null default 1 check (sma_cross between 0.5 and 1.5),
  pivot double precision not null default 1 check (pivot between 0.5 and 1.5),
  vwap double precision not null default 1 check (vwap between 0.5 and 1.5),
  mfi double precision not null default 1 check (mfi between 0.5 and 1.5),
  donchian double precision not null default 1 check (donchian between 0.5 and 1.5),
  ich_align double precision not null default 1 check (ich_align between 0.5 and 1.5),
  ich_cloud double precision not null default 1 check (ich_cloud between 0.5 and 1.5),
  news double precision not null default 1 check (news between 0.5 and 1.5),
  updated_at timestamptz not null default now()
);

create table tuning_versions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 50),
  weights jsonb not null check (jsonb_typeof(weights) = 'object' and pg_column_size(weights) <= 1024),
  created_at timestamptz not null default now(),
  unique (user_id, name)
);
create index tuning_versions_user_created on tuning_versions (user_id, created_at desc);

-- The record is append-only for every role, its owner included.
create function refuse_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_change() from public;
create trigger signals_rows before update or delete on signals for each row execute function refuse_change();
create trigger signals_truncate before truncate on signals for each statement execute function refuse_truncate();
create trigger signal_outcomes_rows before update or delete on signal_outcomes for each row execute function refuse_change();
create trigger signal_outcomes_truncate before truncate on signal_outcomes for each statement execute function refuse_truncate();

alter table scans enable row level security;
alter table scans force row level security;
alter table signals enable row level security;
alter table signals force row level security;
alter table signal_outcomes enable row level security;
alter table signal_outcomes force row level security;
alter table scan_candidates enable row level security;
alter table scan_candidates force row level security;
alter table signal_tuning enable row level security;
alter table signal_tuning force row level security;
alter table tuning_versions enable row level security;
alter table tuning_versions force row level security;

create policy own_rows on scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on scan_candidates for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on signal_tuning to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on tuning_versions to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
-- The record is public.
create policy public_record on signals for select to app_user using (current_user = 'app_user');
create policy public_record on signal_outcomes for select to app_user using (current_user = 'app_user');
create policy system_rows on scans to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on scan_candidates to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on signals to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on signal_outcomes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on signal_tuning to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on scans, scan_candidates, signals, signal_outcomes to app_user;
grant select, insert, update on signal_tuning to app_user;
grant select, insert, delete on tuning_versions to app_user;
grant select, insert on scans, scan_candidates, signals, signal_outcomes to app_system;
grant update (status, results, failure, started_at, finished_at) on scans to app_system;
grant select on signal_tuning to app_system;
