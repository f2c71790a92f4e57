-- Units: *_pct are percent, except risk_min_pct and risk_max_pct, which hold fractions (0.02 is 2 %) as the specification has them.
create table preferences (
  user_id uuid primary key references users (id) on delete cascade,
  active_tab text not null default 'dashboard' check (active_tab in (
    'signals', 'vision', 'dashboard', 'help', 'account', 'funds', 'payments', 'auto', 'news', 'profile', 'settings', 'arb',
    'backtest', 'api-docs', 'api-manager')),
  current_page text check (length(current_page) between 1 and 64),
  auto_scan_enabled boolean not null default false,
  min_auto_conf_pct double precision not null default 60 check (min_auto_conf_pct between 0 and 100),
  positions_wanted integer not null default 5 check (positions_wanted between 1 and 20),
  balance_usdt double precision not null default 1000 check (balance_usdt > 0 and balance_usdt <= 1e12),
  leverage integer not null default 10 check (leverage between 1 and 125),
  risk_tolerance text not null default 'medium' check (risk_tolerance in ('low', 'medium', 'high')),
  whitelist text not null default '' check (length(whitelist) <= 20000),
  blacklist text not null default '' check (length(blacklist) <= 20000),
  max_symbols integer not null default 100 check (max_symbols between 1 and 1000),
  interval_opts jsonb not null default '{"15m": true, "1h": true, "4h": true}' check (
    jsonb_typeof(interval_opts) = 'object' and interval_opts ?& array['15m', '1h', '4h']),
  scan_interval text not null default '1h' check (scan_interval in ('15m', '1h', '4h')),
  dynamic_risk_on boolean not null default false,
  risk_min_pct double precision not null default 0.005 check (risk_min_pct between 0.001 and 0.05),
  risk_max_pct double precision not null default 0.02 check (risk_max_pct between 0.001 and 0.1),
  risk_smoothing double precision not null default 0.3 check (risk_smoothing between 0 and 1),
  risk_perf_lookback integer not null default 50 check (risk_perf_lookback between 1 and 1000),
  telegram text check (length(telegram) <= 200),
  webhook text check (length(webhook) <= 2000),
  stop_loss_pct double precision not null default 2 check (stop_loss_pct between 0 and 20),
  take_profit_pct double precision not null default 4 check (take_profit_pct between 0 and 50),
  max_concurrent_positions integer not null default 5 check (max_concurrent_positions between 1 and 50),
  trailing_enabled boolean not null default true,
  trail_mode text not null default 'percent' check (trail_mode in ('percent', 'atr')),
  trail_callback_pct double precision not null default 0.5 check (trail_callback_pct between 0.05 and 20),
  trail_step_pct double precision not null default 0.25 check (trail_step_pct between 0.05 and 20),
  trail_atr_mult double precision not null default 2 check (trail_atr_mult between 0.5 and 20),
  trail_atr_period integer not null default 14 check (trail_atr_period between 5 and 200),
  tuning_conf_floor double precision check (tuning_conf_floor between 0.1 and 1),
  updated_at timestamptz not null default now(),
  check (risk_min_pct <= risk_max_pct)
);

create table profiles (
  user_id uuid primary key references users (id) on delete cascade,
  id uuid generated always as (user_id) stored,
  display_name text not null check (length(display_name) between 1 and 50),
  username text check (username ~ '^[a-z0-9_]{3,20}$'),
  bio text check (length(bio) <= 2000),
  avatar_url text check (length(avatar_url) <= 2000),
  avatar_path text check (length(avatar_path) <= 500),
  cover_url text check (length(cover_url) <= 2000),
  cover_path text check (length(cover_path) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A person without a preferences or profile row cannot exist: the rows come with the account, in its transaction.
create function create_rows_of_user() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  insert into public.preferences (user_id) values (new.id);
  insert into public.profiles (user_id, display_name, username) values (new.id, left(new.name, 50), new.username);
  return null;
end $$;
create trigger users_rows after insert on users for each row execute function create_rows_of_user();

-- users.username is the one that must be unique; the profile shows the same.
create function copy_username_to_profile() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  update public.profiles set username = new.username, updated_at = now() where user_id = new.id;
  return null;
end $$;
create trigger users_username after update of username on users
  for each row when (old.username is distinct from new.username) execute function copy_username_to_profile();

revoke execute on function create_rows_of_user(), copy_username_to_profile() from public;

alter table preferences enable row level security;
alter table preferences force row level security;
alter table profiles enable row level security;
alter table profiles force row level security;

create policy own_rows on preferences to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on preferences to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on profiles to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on profiles to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, update on preferences to app_user;
grant select, insert on preferences to app_system;
grant select on profiles to app_user;
grant insert (user_id, display_name, bio, avatar_url, avatar_path, cover_url, cover_path) on profiles to app_user;
grant update (display_name, bio, avatar_url, avatar_path, cover_url, cover_path, updated_at) on profiles to app_user;
grant select, insert on profiles to app_system;
grant update (username, updated_at) on profiles to app_system;
