-- When the person behind a session last proved who they are (password or second factor); null: never, as in the demo account.
alter table sessions add column proved_at timestamptz;
alter table sessions add column last_seen_at timestamptz not null default now();

-- One-time secrets somebody carries: links of mails, and the step between password and code. Only a hash is kept.
create table auth_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('reset', 'confirm', 'email', 'second_factor')),
  token_hash text not null unique check (length(token_hash) = 43),
  -- The new address of an e-mail change.
  email text check (email = lower(email) and length(email) between 3 and 254),
  check ((kind = 'email') = (email is not null)),
  -- The session that asked for the change; it stays signed in.
  session_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index auth_tokens_user_created on auth_tokens (user_id, created_at);
create index auth_tokens_expiry on auth_tokens (expires_at);

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

create table recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  code_hash text not null check (length(code_hash) = 43),
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);
create index recovery_codes_user_created on recovery_codes (user_id, created_at);

-- Mails that are still to be sent. A row goes when the mail server has taken it, so this is no archive of who got what.
create table mails (
  id uuid primary key default gen_random_uuid(),
  -- Encrypted by the server: a mail may hold a link that opens an account.
  sealed text not null check (length(sealed) <= 60000),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index mails_next_attempt on mails (next_attempt_at);

alter table auth_tokens enable row level security;
alter table auth_tokens force row level security;
alter table two_factors enable row level security;
alter table two_factors force row level security;
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
alter table mails enable row level security;
alter table mails force row level security;

create policy system_rows on auth_tokens to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on two_factors to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on recovery_codes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on mails to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, delete on auth_tokens, recovery_codes to app_system;
grant select, insert, update, delete on two_factors, mails to app_system;
