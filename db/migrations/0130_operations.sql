-- How the service itself is doing.

-- One row a minute at most: the result of the service's self-check. A minute without a row had no check.
create table health_checks (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  minute timestamptz not null unique check (minute = date_trunc('minute', minute, 'UTC')),
  status text not null check (status in ('ok', 'degraded', 'error')),
  message text not null check (length(message) between 1 and 300),
  response_time_ms double precision check (response_time_ms >= 0),
  external_api_status text not null check (external_api_status in ('ok', 'degraded', 'down', 'unknown')),
  error text check (length(error) <= 300)
);
alter table health_checks enable row level security, force row level security;
create policy system_rows on health_checks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on health_checks to app_system;

-- Results of a probe of each dependency and of a real signal, one row a minute for all nodes together. A good result of one node
-- replaces a failure of another. The public status page is computed from these rows alone.
create table status_probes (
  minute timestamptz not null check (minute = date_trunc('minute', minute, 'UTC')),
  part text not null,
  is_ok boolean not null,
  duration_ms double precision not null check (duration_ms >= 0),
  -- Code of the failure (docs/errors.md); null for a good result.
  code text check (length(code) between 1 and 100),
  primary key (part, minute),
  check (is_ok = (code is null))
);
create index status_probes_minute on status_probes (minute);
-- Incidents are read from failed probes alone, which are few among the probes of 90 days.
create index status_probes_failed on status_probes (part, minute) where not is_ok;
alter table status_probes enable row level security, force row level security;
create policy system_rows on status_probes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on status_probes to app_system;

-- A row for each job that runs now, written before it starts. A row that is still there when the job is taken again means that its
-- process died: after two deaths the job is set aside instead of run a third time.
create table job_runs (
  job_id uuid primary key,
  queue text not null check (length(queue) between 1 and 50),
  -- The process that runs it; null when the last run ended in order.
  process_id uuid,
  death_count integer not null default 0 check (death_count >= 0),
  started_at timestamptz not null default now(),
  set_aside_at timestamptz
);
create index job_runs_set_aside on job_runs (set_aside_at) where set_aside_at is not null;
alter table job_runs enable row level security, force row level security;
create policy system_rows on job_runs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (process_id, death_count, started_at, set_aside_at) on job_runs to app_system;

-- Ed25519 keys that sign proof-carrying results: the private key sealed, the public ones published, earlier ones for good.
create table proof_keys (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  public_key text not null unique check (public_key ~ '^[0-9a-f]{64}$'),
  sealed text not null check (length(sealed) between 1 and 500),
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
-- One key signs at a time.
create unique index proof_keys_current on proof_keys ((true)) where retired_at is null;
alter table proof_keys enable row level security, force row level security;
create policy system_rows on proof_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (retired_at) on proof_keys to app_system;
