-- What PostgreSQL gives everybody and we never use: temporary tables and large objects. Neither knows row-level security, so
-- both are places to leave or fill something outside of it. On a managed PostgreSQL the owner may not be allowed to take these
-- rights away: then they stay, and nothing else depends on it.
do $do$
declare
  routine regprocedure;
begin
  begin
    execute format('revoke temporary on database %I from public, app_user, app_system, sextant_server', current_database());
  exception when insufficient_privilege then
    raise notice 'temporary tables stay allowed: %', sqlerrm;
  end;
  for routine in
    select oid from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and (proname like 'lo\_%' or proname in ('loread', 'lowrite'))
  loop
    begin
      execute format('revoke execute on function %s from public', routine);
    exception when insufficient_privilege then
      raise notice 'large objects stay allowed: %', sqlerrm;
      exit;
    end;
  end loop;
end $do$;
