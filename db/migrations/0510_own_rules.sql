-- Own rules are text of up to 4,000 characters inside a strategy, so a strategy may be larger wherever it is stored.
alter table strategies drop constraint strategies_value_check,
  add constraint strategies_value_check check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768);
alter table strategy_versions drop constraint strategy_versions_value_check,
  add constraint strategy_versions_value_check check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 32768);
alter table positions drop constraint positions_strategy_check,
  add constraint positions_strategy_check check (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768);
alter table backtests drop constraint backtests_strategy_check,
  add constraint backtests_strategy_check
  check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768));
alter table backtest_states drop constraint backtest_states_strategy_check,
  add constraint backtest_states_strategy_check
  check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768));

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

alter table strategy_history enable row level security;
alter table strategy_history force row level security;
create policy own_rows on strategy_history to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on strategy_history to app_user;
