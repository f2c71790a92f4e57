-- A row for each job that runs now, written before it starts. One that is still there when the job is taken again is a death of the
-- process it ran in: after two of them the job is set aside instead of being run a third time.
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

alter table job_runs enable row level security;
alter table job_runs force row level security;
create policy system_rows on job_runs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on job_runs to app_system;
grant update (process_id, death_count, started_at, set_aside_at) on job_runs to app_system;
