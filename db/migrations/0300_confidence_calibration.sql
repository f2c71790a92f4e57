-- How confidence was made at which moment: a map from the raw value to the chance to gain after fees, per market, interval and version of
-- the strategy, from the outcomes known then. A row names nobody, and none is changed: a signal says which one it was stated with.
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

alter table signal_calibrations enable row level security;
alter table signal_calibrations force row level security;
create policy public_record on signal_calibrations for select to app_user using (current_user = 'app_user');
create policy system_rows on signal_calibrations to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on signal_calibrations to app_user;
grant select, insert on signal_calibrations to app_system;

-- Signals of before this were stated by their score, under rules whose version was not kept.
alter table signals
  add column strategy_version text not null default 'unknown' check (length(strategy_version) between 1 and 80),
  add column confidence_kind text not null default 'score' check (confidence_kind in ('score', 'calibrated')),
  add column calibration_version integer references signal_calibrations (version),
  add constraint signals_calibrated check ((confidence_kind = 'calibrated') = (calibration_version is not null));
create index signals_strategy on signals (market, strategy_version, interval, created_at desc);
create index signals_calibration on signals (calibration_version);

-- Results of earlier scans say the same of themselves: confidence was the score. What a break-even chance was then is not known.
update scans set results = jsonb_set(
    jsonb_set(results, '{confidence}', '[]'),
    '{all}',
    (select coalesce(jsonb_agg(each || stated order by place), '[]')
     from jsonb_array_elements(results -> 'all') with ordinality as t (each, place))
  ) || jsonb_build_object('best', case when jsonb_typeof(results -> 'best') = 'object' then (results -> 'best') || stated else 'null'::jsonb end)
  from (values ('{"confidence_kind": "score", "calibration_version": null, "break_even": null, "expected_net_fraction": null,
    "expected_net_usdt": null}'::jsonb)) as s (stated)
  where results is not null;
