-- Roles are made by db/src/roles.ts: they belong to the cluster, not to this database.
-- app_user: what a signed-in person may do. app_system: what the service does on its own behalf (sign-in, limits, jobs).
grant usage on schema public to app_user, app_system;

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  email_verified boolean not null default false,
  image text check (length(image) <= 2000),
  username text unique check (username ~ '^[a-z0-9_]{3,20}$'),
  display_username text check (length(display_username) <= 20),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique check (length(token) >= 32),
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_created on sessions (user_id, created_at);
create index sessions_expiry on sessions (expires_at);

create table accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user_created on accounts (user_id, created_at);

create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Counts of attempts in a fixed window. Keys are made by the server and hold hashes, never an address in the clear.
create table rate_limits (
  key text primary key check (length(key) between 1 and 200),
  hit_count integer not null check (hit_count > 0),
  window_ends_at timestamptz not null
);
create index rate_limits_window on rate_limits (window_ends_at);

alter table users enable row level security;
alter table users force row level security;
alter table sessions enable row level security;
alter table sessions force row level security;
alter table accounts enable row level security;
alter table accounts force row level security;
alter table verifications enable row level security;
alter table verifications force row level security;
alter table rate_limits enable row level security;
alter table rate_limits force row level security;

-- Sign-in is the service's own work: app_user has no grant on these tables, so a mistake in a feature cannot read a password hash.
create policy system_rows on users to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on sessions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on accounts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on verifications to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on rate_limits to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, update, delete on users, sessions, accounts, verifications, rate_limits to app_system;
