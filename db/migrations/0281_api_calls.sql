-- Every call with an API key, one partition for each day. The partitions stand in a schema of their own: a day is dropped as a whole
-- after 30 days, and the server's roles reach rows only through the parent and its policies.
create table api_calls (
  created_at timestamptz not null,
  request_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  -- The key as it was; a row outlives the name of its key.
  key_id uuid not null,
  method text not null check (length(method) between 1 and 10),
  route text not null check (length(route) between 1 and 200),
  path text not null check (length(path) between 1 and 500),
  status integer not null check (status between 100 and 599),
  duration_ms double precision not null check (duration_ms >= 0),
  ip text not null check (length(ip) between 2 and 50),
  credits integer not null default 0 check (credits >= 0),
  primary key (created_at, request_id)
) partition by range (created_at);
create index api_calls_user_created on api_calls (user_id, created_at desc);

alter table api_calls enable row level security;
alter table api_calls force row level security;
create policy own_rows on api_calls for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_calls to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_calls to app_user;
grant select, insert on api_calls to app_system;

create schema api_log;

-- Makes the partitions of today and the next two days (UTC) and drops those older than `kept_days`. Any node may call it at any time.
create function api_log.keep_days(kept_days integer) returns void language plpgsql security definer
set search_path = pg_catalog as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  old text;
begin
  perform pg_advisory_xact_lock(hashtextextended('api_log.keep_days', 0));
  -- Yesterday too: rows of the last second before midnight are written after it.
  for day in select today + n from generate_series(-1, 2) n loop
    if to_regclass(format('api_log.%I', 'calls_' || to_char(day, 'YYYYMMDD'))) is null then
      execute format('create table api_log.%I partition of public.api_calls for values from (%L) to (%L)',
        'calls_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
  for old in
    select c.relname from pg_class c where c.relnamespace = 'api_log'::regnamespace and c.relkind = 'r'
      and c.relname ~ '^calls_\d{8}$' and to_date(substr(c.relname, 7), 'YYYYMMDD') < today - kept_days
  loop
    execute format('drop table api_log.%I', old);
  end loop;
end $$;
revoke execute on function api_log.keep_days(integer) from public;
grant usage on schema api_log to app_system;
grant execute on function api_log.keep_days(integer) to app_system;
