-- What a person allows. Somebody without a row has the defaults of the table.
create table privacy_settings (
  user_id uuid primary key references users (id) on delete cascade,
  analytics boolean not null default true,
  research_sharing boolean not null default true,
  marketing boolean not null default false,
  public_stats boolean not null default false,
  leaderboard boolean not null default true,
  allow_follow boolean not null default false,
  updated_at timestamptz not null default now()
);

-- An account that is to be deleted. erasing_at marks the point of no return: from then on it cannot be cancelled. The row goes
-- with the account, as the last thing that knew of it.
create table deletion_requests (
  user_id uuid primary key references users (id) on delete cascade,
  requested_at timestamptz not null default now(),
  erase_after timestamptz not null,
  erasing_at timestamptz,
  check (erase_after >= requested_at)
);
create index deletion_requests_due on deletion_requests (erase_after);

alter table privacy_settings enable row level security;
alter table privacy_settings force row level security;
alter table deletion_requests enable row level security;
alter table deletion_requests force row level security;

create policy own_rows on privacy_settings to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on privacy_settings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on deletion_requests to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on deletion_requests to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, update on privacy_settings to app_user;
grant select on privacy_settings to app_system;
-- Asking for it ends every session too, which is the service's own work.
grant select on deletion_requests to app_user;
grant select, insert, update, delete on deletion_requests to app_system;
