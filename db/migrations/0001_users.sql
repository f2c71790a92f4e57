-- Roles are made by db/src/roles.ts: they belong to the cluster, not to this database.
-- app_user: what a signed-in user may do. app_system: what the service does for itself (sign-in, limits, jobs).

grant usage on schema public to app_user, app_system;

-- Revokes what PostgreSQL grants to every role and the product never uses: temporary tables and large objects, which have no row-level
-- security. The owner on a managed PostgreSQL may not be allowed to revoke them: then they stay, and nothing else depends on it.
do $do$
declare
  routine regprocedure;
begin
  begin
    execute format('revoke temporary on database %I from public, app_user, app_system, sextant_server', current_database());
  exception when insufficient_privilege then
    raise notice 'temporary tables stay allowed: %', sqlerrm;
  end;
  for routine in
    select oid from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and (proname like 'lo\_%' or proname in ('loread', 'lowrite'))
  loop
    begin
      execute format('revoke execute on function %s from public', routine);
    exception when insufficient_privilege then
      raise notice 'large objects stay allowed: %', sqlerrm;
      exit;
    end;
  end loop;
end $do$;

-- Records are append-only for every role, the owner included.
create function refuse_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_change() from public;

create function refuse_truncate() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_truncate() from public;

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  email_verified boolean not null default false,
  image text check (length(image) <= 2000),
  username text unique check (username ~ '^[a-z0-9_]{3,20}$'),
  display_username text check (length(display_username) <= 20),
  -- Of the address the account was made with. Null for the demo account, and until the service has marked the account.
  welcome_hash text check (length(welcome_hash) = 43),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_unmarked on users (created_at) where welcome_hash is null;
alter table users enable row level security, force row level security;
-- Sign-in is the service's work: app_user has no grant on the tables of this file, so a mistake in a feature cannot read a password hash.
create policy system_rows on users to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on users to app_system;

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique check (length(token) >= 32),
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- When the user of the session last proved their identity (password or second factor); null: never, as in the demo account.
  proved_at timestamptz,
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_created on sessions (user_id, created_at);
create index sessions_expiry on sessions (expires_at);
alter table sessions enable row level security, force row level security;
create policy system_rows on sessions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on sessions to app_system;

-- Notifies every node of the end of a session: sign-out, a changed password, revocation, expiry, a deleted account. The payload is what
-- server/src/platform/events/notify.ts reads.
create function notify_session_end() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  perform pg_notify('sextant_events',
    json_build_object('u', old.user_id, 't', 'session', 'd', json_build_object('ended', old.id))::text);
  return null;
end $$;
revoke execute on function notify_session_end() from public;
create trigger sessions_end after delete on sessions for each row execute function notify_session_end();

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
alter table accounts enable row level security, force row level security;
create policy system_rows on accounts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on accounts to app_system;

create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);
alter table verifications enable row level security, force row level security;
create policy system_rows on verifications to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on verifications to app_system;

-- Counts of attempts in a fixed window. Keys are made by the server and hold hashes, never an address in the clear.
create table rate_limits (
  key text primary key check (length(key) between 1 and 200),
  hit_count integer not null check (hit_count > 0),
  window_ends_at timestamptz not null
);
create index rate_limits_window on rate_limits (window_ends_at);
alter table rate_limits enable row level security, force row level security;
create policy system_rows on rate_limits to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on rate_limits to app_system;

-- One-time secrets: links of emails, and the step between password and code. Only a hash is stored.
create table auth_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('reset', 'confirm', 'email', 'second_factor')),
  token_hash text not null unique check (length(token_hash) = 43),
  -- The new address of an email change.
  email text check (email = lower(email) and length(email) between 3 and 254),
  check ((kind = 'email') = (email is not null)),
  -- The session that requested the change; it stays signed in.
  session_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index auth_tokens_user_created on auth_tokens (user_id, created_at);
create index auth_tokens_expiry on auth_tokens (expires_at);
alter table auth_tokens enable row level security, force row level security;
create policy system_rows on auth_tokens to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on auth_tokens to app_system;

create table two_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted by the server (platform/seal.ts).
  secret text not null,
  -- Null until the first code was right.
  confirmed_at timestamptz,
  -- The 30 s step of the last accepted code: neither it nor an older one is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
alter table two_factors enable row level security, force row level security;
create policy system_rows on two_factors to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on two_factors to app_system;

create table recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  code_hash text not null check (length(code_hash) = 43),
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);
create index recovery_codes_user_created on recovery_codes (user_id, created_at);
alter table recovery_codes enable row level security, force row level security;
create policy system_rows on recovery_codes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on recovery_codes to app_system;

-- Networks from which an account signed in before: wrong passwords from elsewhere do not lock its owner out there. A hash with the
-- account in it, so that the table lists no addresses and joins nothing across accounts.
create table sign_in_networks (
  user_id uuid not null references users (id) on delete cascade,
  network_hash text not null check (length(network_hash) = 64),
  used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
alter table sign_in_networks enable row level security, force row level security;
create policy system_rows on sign_in_networks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (used_at) on sign_in_networks to app_system;

-- Emails that are still to be sent. A row is deleted when the mail server has accepted it, so this is no archive.
create table mails (
  id uuid primary key default gen_random_uuid(),
  -- Encrypted by the server: an email may hold a link that opens an account.
  sealed text not null check (length(sealed) <= 60000),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index mails_next_attempt on mails (next_attempt_at);
alter table mails enable row level security, force row level security;
create policy system_rows on mails to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update on mails to app_system;
