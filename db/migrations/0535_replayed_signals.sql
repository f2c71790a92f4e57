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
  signals bytea not null,
  check (octet_length(signals) = signal_count * 88),
  check (window_from <= window_to),
  primary key (market, exchange, symbol, interval)
);

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

alter table replayed_series enable row level security;
alter table replayed_series force row level security;
alter table replay_reports enable row level security;
alter table replay_reports force row level security;
-- Like the live record, both name no user.
create policy public_record on replayed_series for select to app_user using (current_user = 'app_user');
create policy public_record on replay_reports for select to app_user using (current_user = 'app_user');
create policy system_rows on replayed_series to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on replay_reports to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on replayed_series, replay_reports to app_user;
grant select, insert, update, delete on replayed_series, replay_reports to app_system;

-- Signals of stored scans have no chance: none was measured then.
update scans set results = jsonb_set(
    results,
    '{all}',
    (select coalesce(jsonb_agg(each || unmeasured order by place), '[]')
     from jsonb_array_elements(results -> 'all') with ordinality as t (each, place))
  ) || jsonb_build_object('best', case when jsonb_typeof(results -> 'best') = 'object' then (results -> 'best') || unmeasured else 'null'::jsonb end)
  from (values ('{"chance": null, "chance_n": null, "chance_origin": null, "expected_net_pct": null}'::jsonb)) as s (unmeasured)
  where jsonb_typeof(results -> 'all') = 'array';
