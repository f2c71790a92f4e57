-- One row a minute at most: what the service found when it looked at itself. Times without a row are times without an answer.
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

alter table health_checks enable row level security;
alter table health_checks force row level security;
create policy system_rows on health_checks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update, delete on health_checks to app_system;
