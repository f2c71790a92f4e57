-- expand
-- What a scan found, packed by the server: one row a scan and one partition a day. A day is dropped as a whole; best result and counts stay
-- in `scans.summary`. Scans of before this migration have `scans.results` and `scan_candidates`, which the retention job empties.
alter table scans add column summary jsonb
  check (jsonb_typeof(summary) = 'object' and pg_column_size(summary) <= 262144);
alter table scans drop constraint scans_check;
alter table scans add constraint scans_done_has_results check ((status = 'done') = (results is not null or summary is not null));
grant update (summary) on scans to app_system;

create table scan_details (
  -- Of the scan: readers join by it, so that one partition is read.
  created_at timestamptz not null,
  scan_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  -- server/src/features/scan/packed. Compressed already.
  packed bytea not null check (length(packed) <= 4194304),
  primary key (created_at, scan_id)
) partition by range (created_at);
alter table scan_details alter column packed set storage external;
create index scan_details_user_created on scan_details (user_id, created_at);

alter table scan_details enable row level security;
alter table scan_details force row level security;
create policy own_rows on scan_details for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on scan_details to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on scan_details to app_user;
grant select, insert on scan_details to app_system;

create schema scan_log;

-- Makes the partitions of yesterday to the day after tomorrow (UTC) and drops those older than `kept_days`. Any node may call it at any time.
create function scan_log.keep_days(kept_days integer) returns void language plpgsql security definer
set search_path = pg_catalog as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  old text;
begin
  perform pg_advisory_xact_lock(hashtextextended('scan_log.keep_days', 0));
  for day in select today + n from generate_series(-1, 2) n loop
    if to_regclass(format('scan_log.%I', 'details_' || to_char(day, 'YYYYMMDD'))) is null then
      execute format('create table scan_log.%I partition of public.scan_details for values from (%L) to (%L)',
        'details_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
  for old in
    select c.relname from pg_class c where c.relnamespace = 'scan_log'::regnamespace and c.relkind = 'r'
      and c.relname ~ '^details_\d{8}$' and to_date(substr(c.relname, 9), 'YYYYMMDD') < today - kept_days
  loop
    execute format('drop table scan_log.%I', old);
  end loop;
end $$;
revoke execute on function scan_log.keep_days(integer) from public;
grant usage on schema scan_log to app_system;
grant execute on function scan_log.keep_days(integer) to app_system;

-- Signals of the public record that a user's scans found, for the user's part of it. One row a scan with signals that were new to the user.
create table found_signals (
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  scan_id uuid not null,
  signal_ids uuid[] not null check (cardinality(signal_ids) > 0),
  primary key (user_id, created_at, scan_id)
);
alter table found_signals alter column signal_ids set storage external;
alter table found_signals enable row level security;
alter table found_signals force row level security;
create policy own_rows on found_signals for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on found_signals to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on found_signals to app_user;
grant select, insert on found_signals to app_system;

-- The retention job, one node at a time. It deletes by age only, within the grants and policies below.
grant delete on scan_candidates, ai_verdicts, ai_calls to app_system;
create policy only_old on scan_candidates as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
create policy only_old on ai_verdicts as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
create policy only_old on ai_calls as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
create index scan_candidates_created on scan_candidates (created_at);
create index ai_verdicts_created on ai_verdicts (created_at);
create index scans_full_results on scans (created_at) where results is not null;
create index scan_ai_checks_full_verdicts on scan_ai_checks (created_at) 
  where verdict ->> 'rationale' <> 'Deleted after its retention.';
