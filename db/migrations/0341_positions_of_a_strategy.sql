-- A position that was opened by a saved strategy carries the whole value with its name and version: a change of the strategy later
-- changes nothing that is open.
alter table positions
  add column strategy jsonb check (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 8192),
  add column strategy_name text check (length(strategy_name) between 1 and 60),
  add column strategy_version text check (strategy_version ~ '^[0-9a-f]{64}$'),
  -- From when on it leaves at the next price: its time is over, or the opposite signal has come.
  add column exit_due_at timestamptz,
  add column exit_due_reason text check (exit_due_reason in ('TIME', 'SIGNAL')),
  add constraint positions_strategy
    check (num_nulls(strategy, strategy_name, strategy_version) in (0, 3)),
  add constraint positions_exit_due check ((exit_due_at is null) = (exit_due_reason is null));
alter table positions drop constraint positions_close_reason_check;
alter table positions add constraint positions_close_reason_check
  check (close_reason in ('LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL'));
alter table position_events drop constraint position_events_kind_check;
alter table position_events add constraint position_events_kind_check
  check (kind in ('opened', 'armed', 'trail_raised', 'funding', 'fee', 'closed', 'skipped', 'exit_due'));
grant update (exit_due_at, exit_due_reason) on positions to app_system;
