-- Saved strategies and their own track record: signals and outcomes by their own exits, for their owners alone. The public record has the
-- same signals without an owner; it is judged by its own rule.

-- The whole value of each, as engine-as/abi/strategy.ts describes it. A version is the SHA-256 of its canonical JSON.
create table strategies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768),
  -- Scans and automatic opening trade this strategy; without such a row they trade the built-in Live rules.
  is_used boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, name),
  constraint strategies_owner unique (id, user_id)
);
create index strategies_user_created on strategies (user_id, created_at);
create unique index strategies_used on strategies (user_id) where is_used;
alter table strategies enable row level security, force row level security;
create policy own_rows on strategies to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on strategies for select to app_system using (current_user = 'app_system');
grant select, insert, delete, update on strategies to app_user;
grant select on strategies to app_system;

-- Earlier values of a saved strategy, for its owner to read and take back. strategy_versions has those that signalled, for their record.
create table strategy_history (
  id bigint generated always as identity primary key,
  strategy_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768),
  -- Of this version, by the next one.
  replaced_at timestamptz not null default now(),
  foreign key (strategy_id, user_id) references strategies (id, user_id) on delete cascade
);
create index strategy_history_strategy on strategy_history (strategy_id, user_id, replaced_at desc);
create index strategy_history_user on strategy_history (user_id, replaced_at);
alter table strategy_history enable row level security, force row level security;
create policy own_rows on strategy_history to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on strategy_history to app_user;

-- The value that a version stands for: the strategy may have another one by now.
create table strategy_versions (
  strategy_id uuid not null,
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  user_id uuid not null references users (id) on delete cascade,
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768),
  created_at timestamptz not null default now(),
  primary key (strategy_id, version),
  unique (strategy_id, version, user_id),
  foreign key (strategy_id, user_id) references strategies (id, user_id) on delete cascade
);
create index strategy_versions_user on strategy_versions (user_id, created_at);
create index strategy_versions_strategy on strategy_versions (strategy_id, user_id);
alter table strategy_versions enable row level security, force row level security;
create policy own_rows on strategy_versions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on strategy_versions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on strategy_versions to app_user;
grant select, insert on strategy_versions to app_system;

-- As signal_calibrations, from outcomes of one version of one strategy. None is changed: a signal names the one it was stated with.
create table strategy_calibrations (
  version integer generated always as identity primary key,
  created_at timestamptz not null default now(),
  user_id uuid not null,
  strategy_id uuid not null,
  strategy_version text not null,
  market text not null check (market in ('simulated', 'replay', 'live')),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  method text not null check (length(method) between 1 and 40),
  as_of timestamptz not null,
  window_from timestamptz,
  window_to timestamptz,
  outcome_count integer not null check (outcome_count >= 0),
  base_rate double precision check (base_rate between 0 and 1),
  points jsonb not null check (jsonb_typeof(points) = 'array' and pg_column_size(points) <= 4096),
  mean_win_stops double precision,
  mean_loss_stops double precision,
  check (window_from <= window_to),
  foreign key (strategy_id, strategy_version, user_id) references strategy_versions (strategy_id, version, user_id) on delete cascade
);
create unique index strategy_calibrations_newest
  on strategy_calibrations (strategy_id, strategy_version, market, interval, as_of desc);
create index strategy_calibrations_version on strategy_calibrations (strategy_id, strategy_version, user_id);
create index strategy_calibrations_user on strategy_calibrations (user_id, created_at);
alter table strategy_calibrations enable row level security, force row level security;
create policy own_rows on strategy_calibrations for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on strategy_calibrations to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on strategy_calibrations to app_user;
grant select, insert on strategy_calibrations to app_system;

-- A signal as its owner saw it, from the transaction that delivered the scan.
create table strategy_signals (
  strategy_id uuid not null,
  strategy_version text not null,
  signal_id uuid not null references signals (id),
  user_id uuid not null,
  created_at timestamptz not null default now(),
  confidence double precision not null check (confidence between 0 and 1),
  confidence_kind text not null check (confidence_kind in ('score', 'calibrated')),
  calibration_version integer references strategy_calibrations (version) on delete cascade,
  primary key (strategy_id, strategy_version, signal_id),
  check ((confidence_kind = 'calibrated') = (calibration_version is not null)),
  foreign key (strategy_id, strategy_version, user_id) references strategy_versions (strategy_id, version, user_id) on delete cascade
);
create index strategy_signals_version on strategy_signals (strategy_id, strategy_version, user_id);
create index strategy_signals_user on strategy_signals (user_id, created_at);
create index strategy_signals_signal on strategy_signals (signal_id);
create index strategy_signals_calibration on strategy_signals (calibration_version);
alter table strategy_signals enable row level security, force row level security;
create policy own_rows on strategy_signals for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on strategy_signals to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on strategy_signals to app_user;
grant select, insert on strategy_signals to app_system;

-- Outcome of a signal by the exits of its strategy.
create table strategy_outcomes (
  strategy_id uuid not null,
  strategy_version text not null,
  signal_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  outcome text not null check (outcome in ('TP', 'SL', 'TIME', 'SIGNAL', 'DELISTED')),
  -- When its whole time is over, however early it ended.
  deadline_at timestamptz not null,
  entry_price double precision not null check (entry_price > 0),
  exit_price double precision not null check (exit_price > 0),
  exit_at timestamptz not null,
  gross_fraction double precision not null,
  fees_fraction double precision not null check (fees_fraction >= 0),
  net_fraction double precision not null,
  is_ambiguous boolean not null,
  basis text not null check (basis in ('1m', '5m', '15m', '1h', '4h', '1d')),
  primary key (strategy_id, strategy_version, signal_id),
  foreign key (strategy_id, strategy_version, signal_id)
    references strategy_signals (strategy_id, strategy_version, signal_id) on delete cascade
);
create index strategy_outcomes_user on strategy_outcomes (user_id, created_at);
alter table strategy_outcomes enable row level security, force row level security;
create policy own_rows on strategy_outcomes for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on strategy_outcomes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on strategy_outcomes to app_user;
grant select, insert on strategy_outcomes to app_system;
