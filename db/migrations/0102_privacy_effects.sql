-- Whom a person follows in the ranking: only somebody who allows it, which is looked at again whenever it is read.
create table follows (
  user_id uuid not null references users (id) on delete cascade,
  followed_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, followed_id),
  check (user_id <> followed_id)
);
create index follows_followed on follows (followed_id);
create index follows_user_created on follows (user_id, created_at desc);

-- News of the operator to everybody who allows it. Written with SQL by the owner of the database: the product has no administrator.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  subject text not null check (length(subject) between 1 and 120),
  body text not null check (length(body) between 1 and 5000),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  sent_count integer check (sent_count >= 0),
  check ((sent_at is null) = (sent_count is null))
);

alter table follows enable row level security;
alter table follows force row level security;
alter table announcements enable row level security;
alter table announcements force row level security;

create policy own_rows on follows to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on follows to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on announcements to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, delete on follows to app_user;
grant select, delete on follows to app_system;
grant select on announcements to app_system;
grant update (sent_at, sent_count) on announcements to app_system;

-- All that research may read of runs: whose, on what, and whether they made money. Parameters and results stay their owner's.
alter table backtests
  add column is_profitable boolean generated always as ((result -> 'best' ->> 'netPnl')::double precision > 0) stored;
create policy system_rows on backtests for select to app_system using (current_user = 'app_system');
grant select (user_id, symbol, interval, is_profitable) on backtests to app_system;
