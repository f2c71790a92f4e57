-- Keys of the API, and how much they are used.

-- Rights of a key; its secrets are in api_key_secrets: one, or two while a rotation overlaps.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- Test keys get responses of the sandbox. A key never changes its kind.
  mode text not null default 'live' check (mode in ('live', 'test')),
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
alter table api_keys enable row level security, force row level security;
create policy own_rows on api_keys for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_keys to app_user;
grant select, insert, update (name, scopes, ip_allowlist, credit_cap, last_used_at, last_used_ip, revoked_at) on api_keys to app_system;

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
alter table api_key_secrets enable row level security, force row level security;
create policy system_rows on api_key_secrets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (expires_at) on api_key_secrets to app_system;

-- Networks a key was used from. A hash with the key in it, so that the table lists no addresses and joins nothing across keys.
create table api_key_networks (
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  network_hash text not null check (length(network_hash) = 64),
  created_at timestamptz not null default now(),
  primary key (key_id, network_hash)
);
create index api_key_networks_user_created on api_key_networks (user_id, created_at);
alter table api_key_networks enable row level security, force row level security;
create policy system_rows on api_key_networks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on api_key_networks to app_system;

-- Calls that nodes have reserved of a user's hourly limit. The sum of `granted` never exceeds the limit; `used` is reported every second.
create table api_leases (
  user_id uuid not null references users (id) on delete cascade,
  window_start timestamptz not null,
  node uuid not null,
  granted integer not null check (granted >= 0),
  used integer not null check (used between 0 and granted),
  primary key (user_id, window_start, node)
);
create index api_leases_window on api_leases (window_start);
alter table api_leases enable row level security, force row level security;
create policy system_rows on api_leases to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (granted, used) on api_leases to app_system;

-- Calls that nodes have reserved of the hour of a user's test keys, as api_leases has them for live keys.
create table api_test_leases (
  user_id uuid not null references users (id) on delete cascade,
  window_start timestamptz not null,
  node uuid not null,
  granted integer not null check (granted >= 0),
  used integer not null check (used between 0 and granted),
  primary key (user_id, window_start, node)
);
create index api_test_leases_window on api_test_leases (window_start);
alter table api_test_leases enable row level security, force row level security;
create policy system_rows on api_test_leases to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (granted, used) on api_test_leases to app_system;

-- When a user was last notified of the use of the hourly limit, at 80 and at 100 percent.
create table api_usage_alerts (
  user_id uuid not null references users (id) on delete cascade,
  percent integer not null check (percent in (80, 100)),
  sent_at timestamptz not null default now(),
  primary key (user_id, percent)
);
alter table api_usage_alerts enable row level security, force row level security;
create policy system_rows on api_usage_alerts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (sent_at) on api_usage_alerts to app_system;

-- Open streams of keys on each node. A node renews its rows every few seconds; streams of a node that does not are no longer counted.
create table api_stream_places (
  node uuid not null,
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  streams integer not null check (streams > 0),
  seen_at timestamptz not null default now(),
  primary key (node, key_id)
);
create index api_stream_places_user on api_stream_places (user_id);
create index api_stream_places_key on api_stream_places (key_id);
create index api_stream_places_seen on api_stream_places (seen_at);
alter table api_stream_places enable row level security, force row level security;
create policy system_rows on api_stream_places to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (streams, seen_at) on api_stream_places to app_system;

-- Every call with an API key, one partition for each day. The partitions are in a separate schema: a day is dropped as a whole
-- after 30 days, and the server's roles reach rows only through the parent and its policies.
create table api_calls (
  created_at timestamptz not null,
  request_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  -- The key as it was; a row outlives the name of its key.
  key_id uuid not null,
  method text not null check (length(method) between 1 and 10),
  route text not null check (length(route) between 1 and 200),
  path text not null check (length(path) between 1 and 500),
  status integer not null check (status between 100 and 599),
  duration_ms double precision not null check (duration_ms >= 0),
  ip text not null check (length(ip) between 2 and 50),
  credits integer not null default 0 check (credits >= 0),
  primary key (created_at, request_id)
) partition by range (created_at
);
create index api_calls_user_created on api_calls (user_id, created_at desc);
-- The list of the routes that a user has called jumps from one to the next instead of reading every call of 30 days.
create index api_calls_user_route on api_calls (user_id, route);
alter table api_calls enable row level security, force row level security;
create policy own_rows on api_calls for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_calls to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_calls to app_user;
grant select, insert on api_calls to app_system;

create schema api_log;

-- Makes the partitions of today and the next two days (UTC) and drops those older than `kept_days`. Any node may call it at any time.
create function api_log.keep_days(kept_days integer) returns void language plpgsql security definer
set search_path = pg_catalog as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  old text;
begin
  perform pg_advisory_xact_lock(hashtextextended('api_log.keep_days', 0));
  -- Yesterday too: rows of the last second before midnight are written after it.
  for day in select today + n from generate_series(-1, 2) n loop
    if to_regclass(format('api_log.%I', 'calls_' || to_char(day, 'YYYYMMDD'))) is null then
      execute format('create table api_log.%I partition of public.api_calls for values from (%L) to (%L)',
        'calls_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
  for old in
    select c.relname from pg_class c where c.relnamespace = 'api_log'::regnamespace and c.relkind = 'r'
      and c.relname ~ '^calls_\d{8}$' and to_date(substr(c.relname, 7), 'YYYYMMDD') < today - kept_days
  loop
    execute format('drop table api_log.%I', old);
  end loop;
end $$;
revoke execute on function api_log.keep_days(integer) from public;
grant usage on schema api_log to app_system;
grant execute on function api_log.keep_days(integer) to app_system;

-- Rejected calls of a key beyond the number a minute that are listed in api_calls: counted by the hour.
create table api_refused_counts (
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  hour timestamptz not null,
  count bigint not null check (count > 0),
  primary key (key_id, hour)
);
create index api_refused_counts_user_hour on api_refused_counts (user_id, hour);
alter table api_refused_counts enable row level security, force row level security;
create policy own_rows on api_refused_counts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_refused_counts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_refused_counts to app_user;
grant select, insert, delete, update (count) on api_refused_counts to app_system;

-- The clock that the test keys of an account moved, with what was bought on it. Accounts without a row stand at the start.
create table sandbox_clocks (
  user_id uuid primary key references users (id) on delete cascade,
  version integer not null check (version > 0),
  world jsonb not null check (jsonb_typeof(world) = 'object' and pg_column_size(world) <= 16384)
);
alter table sandbox_clocks enable row level security, force row level security;
create policy own_rows on sandbox_clocks to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, update (version, world) on sandbox_clocks to app_user;
