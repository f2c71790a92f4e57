-- Keys of the API. What a key may do is here; its secrets are in api_key_secrets: one, or two while a rotation overlaps.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- Empty: the scopes that only read.
  scopes text[] not null default '{}' check (cardinality(scopes) <= 20),
  -- Addresses and networks in CIDR form. Empty: any address.
  ip_allowlist text[] not null default '{}' check (cardinality(ip_allowlist) <= 100),
  -- Most credits the key may spend in a calendar month (UTC); null is no cap.
  credit_cap integer check (credit_cap between 0 and 1000000),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_ip text check (length(last_used_ip) between 2 and 50),
  revoked_at timestamptz
);
create index api_keys_user_created on api_keys (user_id, created_at);

-- Only the service reads these. The whole key is never stored: it has more than 250 random bits, so a plain hash is safe.
create table api_key_secrets (
  -- Second part of the key, to find its row.
  public_id text primary key check (public_id ~ '^[0-9A-Za-z]{8}$'),
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  last4 text not null check (last4 ~ '^[0-9A-Za-z]{4}$'),
  created_at timestamptz not null default now(),
  -- Set by a rotation: until then the secret works beside its successor.
  expires_at timestamptz
);
create index api_key_secrets_key on api_key_secrets (key_id);
create index api_key_secrets_user_created on api_key_secrets (user_id, created_at);

-- Networks a key was used from. A hash with the key in it, so that the table lists no addresses and joins nothing across keys.
create table api_key_networks (
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  network_hash text not null check (length(network_hash) = 64),
  created_at timestamptz not null default now(),
  primary key (key_id, network_hash)
);
create index api_key_networks_user_created on api_key_networks (user_id, created_at);

-- Plans that were bought. The current one has not ended; without one a user has the free plan.
create table api_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  plan text not null check (plan in ('STARTER', 'PRO', 'BUSINESS')),
  price_credits integer not null check (price_credits > 0),
  -- The entry of the ledger that paid for it.
  credit_ref uuid not null unique references credit_ledger (id) deferrable initially deferred,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at),
  -- Set when its owner changes to the free plan before the end.
  ended_at timestamptz,
  -- When the notice of the end was queued.
  notified_at timestamptz
);
create index api_subscriptions_user_created on api_subscriptions (user_id, created_at);
create index api_subscriptions_ending on api_subscriptions (expires_at) where ended_at is null and notified_at is null;

-- Calls that nodes have taken of a user's hourly limit. The sum of `granted` never exceeds the limit; `used` is reported every second.
create table api_leases (
  user_id uuid not null references users (id) on delete cascade,
  window_start timestamptz not null,
  node uuid not null,
  granted integer not null check (granted >= 0),
  used integer not null check (used between 0 and granted),
  primary key (user_id, window_start, node)
);
create index api_leases_window on api_leases (window_start);

-- When a user was last told about the use of the hourly limit, at 80 and at 100 percent.
create table api_usage_alerts (
  user_id uuid not null references users (id) on delete cascade,
  percent integer not null check (percent in (80, 100)),
  sent_at timestamptz not null default now(),
  primary key (user_id, percent)
);

-- The key that spent the credits, for its monthly cap. Rows from before this migration and from sessions have none.
alter table credit_ledger add column api_key_id uuid references api_keys (id) deferrable initially deferred;
create index credit_ledger_api_key on credit_ledger (api_key_id, created_at);

alter table api_keys enable row level security;
alter table api_keys force row level security;
alter table api_key_secrets enable row level security;
alter table api_key_secrets force row level security;
alter table api_key_networks enable row level security;
alter table api_key_networks force row level security;
alter table api_subscriptions enable row level security;
alter table api_subscriptions force row level security;
alter table api_leases enable row level security;
alter table api_leases force row level security;
alter table api_usage_alerts enable row level security;
alter table api_usage_alerts force row level security;
create policy own_rows on api_keys for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on api_subscriptions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on api_key_secrets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on api_key_networks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on api_subscriptions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on api_leases to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on api_usage_alerts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on api_keys, api_subscriptions to app_user;
grant select, insert on api_keys, api_key_secrets, api_key_networks, api_subscriptions to app_system;
grant delete on api_key_secrets to app_system;
grant update (name, scopes, ip_allowlist, credit_cap, last_used_at, last_used_ip, revoked_at) on api_keys to app_system;
grant update (expires_at) on api_key_secrets to app_system;
grant update (ended_at, notified_at) on api_subscriptions to app_system;
grant select, insert, delete on api_leases to app_system;
grant update (granted, used) on api_leases to app_system;
grant select, insert on api_usage_alerts to app_system;
grant update (sent_at) on api_usage_alerts to app_system;
