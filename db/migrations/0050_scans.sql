-- Scans of users, their results, and AI checks of these.

create table scans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 262144),
  -- {best, all}; null until the scan is done.
  results jsonb check (jsonb_typeof(results) = 'object' and pg_column_size(results) <= 8388608),
  -- Best result and counts, which stay when the details expire (scan_details).
  summary jsonb check (jsonb_typeof(summary) = 'object' and pg_column_size(summary) <= 262144),
  -- The hold that pays for it. No foreign key: entries of the ledger and scans go with their account, in no particular order.
  credit_ref uuid not null,
  failure text check (length(failure) between 1 and 500),
  started_at timestamptz,
  finished_at timestamptz,
  constraint scans_done_has_results check ((status = 'done') = (results is not null or summary is not null))
);
create index scans_user_created on scans (user_id, created_at desc);
create unique index scans_credit_ref on scans (credit_ref);
create index scans_full_results on scans (created_at) where results is not null;
alter table scans enable row level security, force row level security;
create policy own_rows on scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on scans to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on scans to app_user;
grant select, insert, update (status, results, summary, failure, started_at, finished_at) on scans to app_system;

-- Each symbol and interval of a scan with its one outcome. New scans have them in scan_details; the retention job empties this table.
create table scan_candidates (
  scan_id uuid not null references scans (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  -- '*' for a symbol that was left out before its intervals were read.
  interval text not null check (interval in ('15m', '1h', '4h', '*')),
  outcome text not null check (outcome in ('ELIGIBLE', 'NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH')),
  filtered_by text check (filtered_by ~ '^[a-z_]{1,40}$'),
  confidence double precision check (confidence between 0 and 1),
  signal_id uuid references signals (id),
  created_at timestamptz not null default now(),
  primary key (scan_id, symbol, interval),
  -- A candidate without a quantity may name the rule of sizing that left none.
  constraint scan_candidates_reason check (case outcome
    when 'ZERO_QTY' then true
    else (outcome in ('NO_MATCH', 'LOW_CONF')) = (filtered_by is not null) end)
);
create index scan_candidates_user_created on scan_candidates (user_id, created_at);
create index scan_candidates_signal on scan_candidates (signal_id);
create index scan_candidates_created on scan_candidates (created_at);
alter table scan_candidates enable row level security, force row level security;
create policy own_rows on scan_candidates for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on scan_candidates to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
-- The retention job deletes by age only.
create policy only_old on scan_candidates as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
grant select on scan_candidates to app_user;
grant select, insert, delete on scan_candidates to app_system;

-- Results of a scan, packed by the server: one row a scan and one partition a day. A day is dropped as a whole; best result and counts
-- stay in `scans.summary`. The oldest scans have `scans.results` and `scan_candidates` instead, which the retention job empties.
create table scan_details (
  -- Of the scan: readers join by it, so that one partition is read.
  created_at timestamptz not null,
  scan_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  -- server/src/features/scan/packed. Compressed already.
  packed bytea not null check (length(packed) <= 4194304),
  primary key (created_at, scan_id)
) partition by range (created_at
);
create index scan_details_user_created on scan_details (user_id, created_at);
alter table scan_details alter column packed set storage external;
alter table scan_details enable row level security, force row level security;
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

-- Signals of the public record that a user's scans had first, for the user's part of it. One row for each scan with such signals.
create table found_signals (
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  scan_id uuid not null,
  signal_ids uuid[] not null check (cardinality(signal_ids) > 0),
  primary key (user_id, created_at, scan_id)
);
alter table found_signals alter column signal_ids set storage external;
alter table found_signals enable row level security, force row level security;
create policy own_rows on found_signals for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on found_signals to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on found_signals to app_user;
grant select, insert on found_signals to app_system;

-- Scans the service runs while their owner is away: one for each slot of ten minutes, however many servers there are.
create table away_scans (
  user_id uuid not null references users (id) on delete cascade,
  -- Start of the slot. With the user it is the key: a second server that starts the same scan conflicts with the row.
  slot_at timestamptz not null,
  scan_id uuid references scans (id) on delete cascade,
  -- Why there was no scan.
  refused text check (refused in ('insufficient_credits', 'rules_invalid')),
  created_at timestamptz not null default now(),
  primary key (user_id, slot_at),
  check ((scan_id is null) = (refused is not null))
);
create unique index away_scans_scan on away_scans (scan_id);
create index away_scans_user_created on away_scans (user_id, created_at);
create index away_scans_created on away_scans (created_at);
alter table away_scans enable row level security, force row level security;
create policy own_rows on away_scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on away_scans to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on away_scans to app_user;
grant select, insert, delete on away_scans to app_system;

-- AI checks of signals, written by the service; no role may update one. One row before each paid request allows to send it once. The
-- daily cap limits the sum of a day.
create table ai_calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
  prompt_hash text not null check (prompt_hash ~ '^[0-9a-f]{64}$'),
  model text not null check (length(model) between 1 and 100),
  -- 2: the repeat of a request that failed at the provider, which may have been billed all the same. It has a row and a price of its own,
  -- so that the day's cap counts everything that was sent.
  attempt integer not null default 1 check (attempt between 1 and 2),
  -- The most the request may cost, in millionths of a dollar.
  reserved_microusd integer not null check (reserved_microusd > 0),
  created_at timestamptz not null default now(),
  constraint ai_calls_once unique (user_id, input_hash, prompt_hash, model, attempt)
);
create index ai_calls_user_created on ai_calls (user_id, created_at);
create index ai_calls_created on ai_calls (created_at);
alter table ai_calls enable row level security, force row level security;
create policy system_rows on ai_calls to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
-- The retention job deletes by age only.
create policy only_old on ai_calls as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
grant select, insert, delete on ai_calls to app_system;

create table ai_verdicts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
  prompt_hash text not null check (prompt_hash ~ '^[0-9a-f]{64}$'),
  -- The model's id, or the version of the built-in rules.
  model text not null check (length(model) between 1 and 100),
  verdict jsonb not null check (pg_column_size(verdict) <= 8192),
  created_at timestamptz not null default now(),
  unique (user_id, input_hash, prompt_hash, model)
);
create index ai_verdicts_user_created on ai_verdicts (user_id, created_at);
create index ai_verdicts_created on ai_verdicts (created_at);
alter table ai_verdicts enable row level security, force row level security;
create policy own_rows on ai_verdicts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on ai_verdicts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
-- The retention job deletes by age only.
create policy only_old on ai_verdicts as restrictive for delete to app_system using (created_at < now() - interval '12 hours');
grant select on ai_verdicts to app_user;
grant select, insert, delete on ai_verdicts to app_system;

-- The AI checks of a scan's results. At most ten a scan: each takes a slot that no other can have.
create table scan_ai_checks (
  scan_id uuid not null references scans (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('15m', '1h', '4h')),
  place integer not null check (place between 1 and 10),
  signal_id uuid references signals (id),
  -- `asking`: the request is pending, or its server died meanwhile.
  state text not null default 'asking' check (state in ('asking', 'online', 'offline')),
  -- Why there is no verdict.
  reason text check (reason ~ '^[A-Za-z_]{1,40}$'),
  decided_by text check (decided_by in ('model', 'built_in')),
  -- The model's id, or the version of the built-in rules.
  model text check (length(model) between 1 and 100),
  verdict jsonb check (pg_column_size(verdict) <= 8192),
  -- Latest options of the owner; the verdict stays, its effect is computed again.
  soft_approval boolean not null,
  allow_correction boolean not null,
  asked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (scan_id, symbol, interval),
  unique (scan_id, place),
  check ((state = 'online') = (verdict is not null and decided_by is not null and model is not null)),
  check ((state = 'offline') = (reason is not null))
);
create index scan_ai_checks_user_created on scan_ai_checks (user_id, created_at);
create index scan_ai_checks_signal on scan_ai_checks (signal_id);
create index scan_ai_checks_full_verdicts on scan_ai_checks (created_at) 
  where verdict ->> 'rationale' <> 'Deleted after its retention.';
alter table scan_ai_checks enable row level security, force row level security;
create policy own_rows on scan_ai_checks for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on scan_ai_checks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on scan_ai_checks to app_user;
grant select, insert, update (state, reason, decided_by, model, verdict, soft_approval, allow_correction, asked_at) on scan_ai_checks to
  app_system;

-- Weights of the votes as a user set them.
create table signal_tuning (
  user_id uuid primary key references users (id) on delete cascade,
  -- {vote: weight}; a vote that is absent has weight 1, so a new vote needs no migration. The ids stand in the engine's list of votes.
  weights jsonb not null default '{}' check (jsonb_typeof(weights) = 'object' and pg_column_size(weights) <= 1024),
  updated_at timestamptz not null default now(),
  constraint signal_tuning_weights_range check (
    not jsonb_path_exists(weights, 'strict $.* ? (@.type() != "number" || @ < 0.5 || @ > 1.5)', '{}', true))
);
alter table signal_tuning enable row level security, force row level security;
create policy own_rows on signal_tuning to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on signal_tuning to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on signal_tuning to app_user;
grant select on signal_tuning to app_system;

-- Weights saved under a name.
create table tuning_versions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 50),
  weights jsonb not null check (jsonb_typeof(weights) = 'object' and pg_column_size(weights) <= 1024),
  created_at timestamptz not null default now(),
  unique (user_id, name)
);
create index tuning_versions_user_created on tuning_versions (user_id, created_at desc);
alter table tuning_versions enable row level security, force row level security;
create policy own_rows on tuning_versions to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on tuning_versions to app_user;
