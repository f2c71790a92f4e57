-- The owner changes stop, target and trailing of an open position. The row stays what the judged candles made of it: a change waits in
-- changes_pending until the watch has judged the candles before it, and only then becomes part of the row. So a watch that is killed at
-- any moment reads the old levels, the new ones, and from when on each applies.
alter table positions
  -- How many changes its owner made, and how many of them the judged candles have reached.
  add column changes integer not null default 0 check (changes >= 0),
  add column changes_applied integer not null default 0 check (changes_applied between 0 and changes),
  add column changes_pending jsonb check (jsonb_typeof(changes_pending) = 'array' and pg_column_size(changes_pending) <= 32768),
  -- Trailing of the owner replaces that of the strategy which opened it.
  add column trailing_by_owner boolean not null default false;
alter table position_events drop constraint position_events_kind_check;
alter table position_events add constraint position_events_kind_check
  check (kind in ('opened', 'armed', 'trail_raised', 'funding', 'fee', 'closed', 'skipped', 'exit_due', 'changed'));
grant update (take_profit, trailing_enabled, trail_mode, trail_callback_pct, trail_step_pct, trail_atr_mult, trail_atr_period,
  trail_activation_pct, changes, changes_applied, changes_pending, trailing_by_owner) on positions to app_system;

-- The target may change while the position is open; what it was opened with stays in its first event.
create or replace function refuse_position_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if (old.user_id, old.opening_ref, old.symbol, old.side, old.entry_price, old.qty, old.leverage, old.initial_stop_loss,
      old.opened_at, old.confidence)
    is distinct from (new.user_id, new.opening_ref, new.symbol, new.side, new.entry_price, new.qty, new.leverage,
      new.initial_stop_loss, new.opened_at, new.confidence)
    or (old.closed_at is not null and (old.closed_at, old.close_price, old.close_reason, old.stop_loss, old.take_profit, old.changes)
      is distinct from (new.closed_at, new.close_price, new.close_reason, new.stop_loss, new.take_profit, new.changes)) then
    raise exception 'this part of a position cannot change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
