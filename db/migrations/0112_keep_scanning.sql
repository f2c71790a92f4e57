-- Scans the service runs while their owner is away: one for each slot of ten minutes, however many servers there are.

alter table preferences
  add column keep_scanning boolean not null default false,
  -- What follows from a reject of the AI check, wherever the check was asked for.
  add column ai_soft_approval boolean not null default false,
  add column ai_allow_correction boolean not null default false;
create index preferences_keep_scanning on preferences (user_id) where keep_scanning;
-- The service reads them to know whose turn it is, and switches off what has run out of credits.
grant update (keep_scanning) on preferences to app_system;

create table away_scans (
  user_id uuid not null references users (id) on delete cascade,
  -- Start of the slot. With the user it is the key: a second server that has the same idea finds the row.
  slot_at timestamptz not null,
  scan_id uuid references scans (id) on delete cascade,
  -- Why there was no scan.
  refused text check (refused in ('insufficient_credits')),
  created_at timestamptz not null default now(),
  primary key (user_id, slot_at),
  check ((scan_id is null) = (refused is not null))
);
create unique index away_scans_scan on away_scans (scan_id);
create index away_scans_user_created on away_scans (user_id, created_at);

alter table away_scans enable row level security;
alter table away_scans force row level security;

create policy own_rows on away_scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on away_scans to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on away_scans to app_user;
grant select, insert on away_scans to app_system;
