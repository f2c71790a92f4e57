-- A session that ends is told to every node, however it ended: sign-out, a changed password, revocation, expiry, a deleted
-- account. The payload is what server/src/platform/events/notify.ts reads.
create function notify_session_end() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  perform pg_notify('sextant_events',
    json_build_object('u', old.user_id, 't', 'session', 'd', json_build_object('ended', old.id))::text);
  return null;
end $$;
create trigger sessions_end after delete on sessions for each row execute function notify_session_end();

revoke execute on function notify_session_end() from public;
