-- Strategies a user saved: the whole value, as engine-as/abi/strategy.ts describes it. A version is the SHA-256 of its canonical JSON.
create table strategies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 8192),
  -- What scans and automatic opening trade; while no row of a user says so they trade the built-in Live rules.
  is_used boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);
create index strategies_user_created on strategies (user_id, created_at);
create unique index strategies_used on strategies (user_id) where is_used;

alter table strategies enable row level security;
alter table strategies force row level security;
create policy own_rows on strategies to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, update, delete on strategies to app_user;
