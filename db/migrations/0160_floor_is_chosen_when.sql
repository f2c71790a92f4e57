-- When the confidence floor was moved last: results of signals from before were known when it was chosen. Kept by the database, so
-- that no way of saving the preferences forgets it.
alter table preferences add column tuning_conf_floor_at timestamptz;

create function note_floor_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'INSERT' then
    new.tuning_conf_floor_at = case when new.tuning_conf_floor is null then null else now() end;
  elsif new.tuning_conf_floor is distinct from old.tuning_conf_floor then
    new.tuning_conf_floor_at = now();
  else
    new.tuning_conf_floor_at = old.tuning_conf_floor_at;
  end if;
  return new;
end $$;
revoke execute on function note_floor_change() from public;
create trigger preferences_floor before insert or update on preferences for each row execute function note_floor_change();
