-- What was not opened is told for 30 days. Scans while away add up to 720 of these rows a day for each person; what was opened, and all that
-- happened to it, stays as it is.
create or replace function refuse_position_event_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  if tg_op = 'DELETE' and old.kind = 'skipped' and old.created_at < now() - interval '30 days' then return old; end if;
  raise exception 'position_events is append-only' using errcode = 'restrict_violation';
end $$;
create index position_events_skipped_created on position_events (created_at) where kind = 'skipped';
create index auto_runs_created on auto_runs (created_at);
create index auto_run_items_left on auto_run_items (created_at) where position_id is null;
create index away_scans_created on away_scans (created_at);
grant delete on position_events, auto_runs, auto_run_items, away_scans to app_system;
