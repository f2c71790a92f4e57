-- The public record of signals: issued, judged, calibrated, replayed.

-- The exchanges of the product stand once in the database, as venueIds of engine-as/abi/costs.ts; a test compares the two lists.
create domain exchange_id as text constraint exchange_id_known check (value in ('binance', 'bybit', 'okx'));

-- Calibrations of confidence: a map from the raw value to the chance to gain after fees, per market, interval and version of the strategy,
-- from the outcomes known then. A row belongs to no user and is never changed: a signal names the one it was stated with.
create table signal_calibrations (
  version integer generated always as identity primary key,
  created_at timestamptz not null default now(),
  market text not null check (market in ('simulated', 'replay', 'live')),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  strategy_version text not null check (length(strategy_version) between 1 and 80),
  method text not null check (length(method) between 1 and 40),
  -- Outcomes known by then were used; of which signals, by the moment they were issued.
  as_of timestamptz not null,
  window_from timestamptz,
  window_to timestamptz,
  outcome_count integer not null check (outcome_count >= 0),
  base_rate double precision check (base_rate between 0 and 1),
  -- [{raw, chance}, ...], ascending; empty while there is no evidence.
  points jsonb not null check (jsonb_typeof(points) = 'array' and pg_column_size(points) <= 4096),
  mean_win_stops double precision,
  mean_loss_stops double precision,
  check (window_from <= window_to)
);
create unique index signal_calibrations_newest
  on signal_calibrations (market, strategy_version, interval, as_of desc);
create trigger signal_calibrations_rows before update or delete on signal_calibrations
  for each row execute function refuse_change();
create trigger signal_calibrations_truncate before truncate on signal_calibrations
  for each statement execute function refuse_truncate();
alter table signal_calibrations enable row level security, force row level security;
create policy public_record on signal_calibrations for select to app_user using (current_user = 'app_user');
create policy system_rows on signal_calibrations to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on signal_calibrations to app_user;
grant select, insert on signal_calibrations to app_system;

-- Every signal of all scans, once: the same candles and rules give the same signal. It names no user, so it stays when an account is
-- deleted, and a bad one cannot be withdrawn.
create table signals (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  exchange exchange_id not null,
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
  -- [[interval, weight, {vote: opinion}], ...], opinions of 0 left out; null for the oldest signals.
  opinions jsonb check (jsonb_typeof(opinions) = 'array' and pg_column_size(opinions) <= 4096),
  -- The transaction that wrote the row. Neither a clock nor a counter: both are taken before the commit, so a row could appear behind a
  -- reader that is past it. What a snapshot may not have seen yet is exactly what is at or above its xmin.
  recorded_xid xid8 not null default pg_current_xact_id(),
  strategy_version text not null default 'unknown' check (length(strategy_version) between 1 and 80),
  confidence_kind text not null default 'score' check (confidence_kind in ('score', 'calibrated')),
  calibration_version integer references signal_calibrations (version),
  -- The chance as the signal stated it, to be judged by its outcome; null without one, and for saved strategies, whose chances are their
  -- owner's.
  chance double precision check (chance between 0 and 1),
  chance_n integer check (chance_n > 0),
  chance_origin text check (chance_origin in ('live', 'replayed', 'mixed')),
  unique (exchange, market, symbol, interval, candle_close_at, engine_hash, data_hash, params_hash),
  constraint signals_calibrated check ((confidence_kind = 'calibrated') = (calibration_version is not null)),
  constraint signals_chance check ((chance is null) = (chance_origin is null) and (chance is null) = (chance_n is null))
);
create index signals_created on signals (created_at desc);
create trigger signals_rows before update or delete on signals for each row execute function refuse_change();
create trigger signals_truncate before truncate on signals for each statement execute function refuse_truncate();
create index signals_recorded on signals (recorded_xid);
create index signals_strategy on signals (market, strategy_version, interval, created_at desc);
create index signals_calibration on signals (calibration_version);
alter table signals enable row level security, force row level security;
create policy public_record on signals for select to app_user using (current_user = 'app_user');
create policy system_rows on signals to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on signals to app_user;
grant select, insert on signals to app_system;

-- Outcome of a signal, by the rule of docs/performance.md. One row, once it is known.
create table signal_outcomes (
  signal_id uuid primary key references signals (id),
  created_at timestamptz not null default now(),
  outcome text not null check (outcome in ('TP', 'SL', 'TIME', 'DELISTED')),
  entry_price double precision not null check (entry_price > 0),
  exit_price double precision not null check (exit_price > 0),
  exit_at timestamptz not null,
  gross_fraction double precision not null,
  fees_fraction double precision not null check (fees_fraction >= 0),
  net_fraction double precision not null,
  is_ambiguous boolean not null,
  -- Length of the candles it was judged on.
  basis text not null check (basis in ('1m', '5m', '15m', '1h', '4h', '1d')),
  -- As of signals: readers of the record continue by it.
  recorded_xid xid8 not null default pg_current_xact_id()
);
create trigger signal_outcomes_rows before update or delete on signal_outcomes for each row execute function refuse_change();
create trigger signal_outcomes_truncate before truncate on signal_outcomes for each statement execute function refuse_truncate();
create index signal_outcomes_recorded on signal_outcomes (recorded_xid);
alter table signal_outcomes enable row level security, force row level security;
create policy public_record on signal_outcomes for select to app_user using (current_user = 'app_user');
create policy system_rows on signal_outcomes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on signal_outcomes to app_user;
grant select, insert on signal_outcomes to app_system;

-- The close of the last candle that signals of a series were judged on: no exchange gives it once the contract has ended.
create table signal_marks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 40),
  price double precision not null check (price > 0),
  -- When that candle closed.
  at timestamptz not null,
  primary key (market, exchange, symbol)
);
alter table signal_marks enable row level security, force row level security;
create policy system_rows on signal_marks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (price, at) on signal_marks to app_system;

-- Signals of Live rules over stored candles with their outcomes, separate from the live record. One row holds one series: its signals are
-- columns of 64-bit numbers (workers/src/protocol/replaySignals.ts), 88 bytes a signal before compression. They follow from candles, rules
-- and engine, so a row is replaced when one of them changes.
create table replayed_series (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  strategy_version text not null check (length(strategy_version) between 1 and 80),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  -- SHA-256 over the candles of its intervals.
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  -- Opens of the first and the last candle read.
  window_from timestamptz not null,
  window_to timestamptz not null,
  signal_count integer not null check (signal_count >= 0),
  -- Signals whose time was not over.
  open_count integer not null check (open_count >= 0),
  -- Whether the series was replayed up to the end of its contract. False in the oldest rows: ended ones are replayed once more.
  has_ended boolean not null default false,
  signals bytea not null,
  check (octet_length(signals) = signal_count * 88),
  check (window_from <= window_to),
  primary key (market, exchange, symbol, interval)
);
alter table replayed_series enable row level security, force row level security;
create policy public_record on replayed_series for select to app_user using (current_user = 'app_user');
create policy system_rows on replayed_series to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on replayed_series to app_user;
grant select, insert, delete, update on replayed_series to app_system;

-- Figures over all series of a market: counts, reliability, chances by interval.
create table replay_reports (
  market text primary key check (market in ('simulated', 'replay', 'live')),
  strategy_version text not null check (length(strategy_version) between 1 and 80),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  as_of timestamptz not null,
  symbol_count integer not null check (symbol_count >= 0),
  -- Series of the universe, and those that were replayed by then.
  series_wanted integer not null check (series_wanted >= 0),
  series_count integer not null check (series_count >= 0),
  report jsonb not null check (jsonb_typeof(report) = 'object')
);
alter table replay_reports enable row level security, force row level security;
create policy public_record on replay_reports for select to app_user using (current_user = 'app_user');
create policy system_rows on replay_reports to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on replay_reports to app_user;
grant select, insert, delete, update on replay_reports to app_system;
