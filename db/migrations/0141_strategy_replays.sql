-- expand
-- Replays of saved strategies over stored candles, at their owner's request: the last one of each strategy. Separate from the public
-- record and from live outcomes.
create table strategy_replays (
  strategy_id uuid not null,
  user_id uuid not null,
  -- The value that is replayed; the strategy may have another one by now.
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768),
  market text not null check (market in ('simulated', 'replay', 'live')),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- End of the candles, so that a replay that continues on another node reads the same ones. Whole milliseconds: nodes compare it.
  requested_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- When its last turn started: the one that has waited longest is next.
  turn_at timestamptz,
  -- Turns that stopped since the last good one, so that a kill does not forget them.
  attempts integer not null default 0 check (attempts >= 0),
  -- No turn before.
  retry_at timestamptz,
  symbols_wanted integer check (symbols_wanted >= 0),
  symbols_done integer not null default 0 check (symbols_done >= 0),
  -- Symbols that could not be replayed.
  symbols_failed integer not null default 0 check (symbols_failed between 0 and symbols_done),
  engine_hash text check (engine_hash ~ '^[0-9a-f]{64}$'),
  report jsonb check (jsonb_typeof(report) = 'object'),
  error text check (length(error) between 1 and 300),
  finished_at timestamptz,
  primary key (strategy_id, user_id),
  foreign key (strategy_id, user_id) references strategies (id, user_id) on delete cascade,
  check ((state = 'done') = (report is not null)),
  check ((state = 'failed') = (error is not null)),
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);
-- One at a time for each account; requests of another market wait for a server of it.
create unique index strategy_replays_active on strategy_replays (user_id, market) where state in ('queued', 'running');
create index strategy_replays_turn on strategy_replays (turn_at) where state in ('queued', 'running');
alter table strategy_replays enable row level security, force row level security;
create policy own_rows on strategy_replays to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid) and state = 'queued');
create policy system_rows on strategy_replays to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on strategy_replays to app_user;
grant select, update on strategy_replays to app_system;

-- The symbols of a running replay, from its plan, with their signals as in replayed_series; deleted when it is done.
create table strategy_replayed_series (
  strategy_id uuid not null,
  user_id uuid not null,
  symbol text not null check (length(symbol) between 1 and 60),
  -- Place in the plan, from 0.
  position integer not null check (position >= 0),
  -- Days in the universe, each as the number of UTC days since 1970.
  days integer[] not null,
  has_ended boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  -- Not read before; others go first.
  retry_at timestamptz,
  failure text check (length(failure) between 1 and 300),
  signal_count integer not null default 0 check (signal_count >= 0),
  open_count integer not null default 0 check (open_count >= 0),
  signals bytea not null default '',
  check (octet_length(signals) = signal_count * 88),
  check ((state = 'failed') <= (failure is not null)),
  primary key (strategy_id, user_id, symbol),
  foreign key (strategy_id, user_id) references strategy_replays (strategy_id, user_id) on delete cascade
);
alter table strategy_replayed_series enable row level security, force row level security;
create policy system_rows on strategy_replayed_series to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update, delete on strategy_replayed_series to app_system;
