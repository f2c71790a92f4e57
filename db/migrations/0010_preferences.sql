-- What users set: preferences, profile, privacy, watch list and charts.

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
  balance_usdt double precision not null default 1000 check (balance_usdt >= 10 and balance_usdt <= 1e8),
  leverage integer not null default 10 check (leverage between 1 and 125),
  -- How positions are sized, and whose stop and target they get: the size follows the risk that is set, the base is the balance, and a
  -- position keeps the levels of its signal, unless the user changes it.
  sizing_mode text not null default 'risk' check (sizing_mode in ('risk', 'fixed')),
  base_usdt double precision check (base_usdt >= 1 and base_usdt <= 1e12),
  levels_mode text not null default 'signal' check (levels_mode in ('signal', 'own')),
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
  -- Shown names of the targets. Messages go to notification_targets, where each address was proven; the service writes the two together.
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
  -- Trailing starts after a move in favour of this many stop distances; positions store it in percent of their entry price.
  trail_activation_stops double precision not null default 1 check (trail_activation_stops between 0 and 10),
  tuning_conf_floor double precision check (tuning_conf_floor between 0.1 and 1),
  -- When the confidence floor was last changed: results of earlier signals were known then. Written by the trigger below, so that every way
  -- of saving the preferences sets it.
  tuning_conf_floor_at timestamptz,
  -- Min Confidence is a chance. A saved strategy that has too few outcomes for one is held by its own threshold, unless its owner wants
  -- the score held to the same percent.
  min_conf_on_score boolean not null default false,
  keep_scanning boolean not null default false,
  -- Effect of a reject of the AI check, wherever the check was requested.
  ai_soft_approval boolean not null default false,
  ai_allow_correction boolean not null default false,
  auto_open_enabled boolean not null default true,
  -- Whether the owner has closed the line about the first automatic opening of the account.
  auto_open_noticed boolean not null default false,
  -- Guards of automatic opening; null is off. Percent: 2 is 2 %.
  guard_daily_loss_pct double precision check (guard_daily_loss_pct between 0.1 and 100),
  guard_stop_streak integer check (guard_stop_streak between 1 and 50),
  guard_cooldown_minutes integer not null default 60 check (guard_cooldown_minutes between 1 and 10080),
  guard_drawdown_pct double precision check (guard_drawdown_pct between 0.1 and 100),
  -- Start of the measurement of the drawdown: set again by a user who continues after it stopped.
  guard_drawdown_since timestamptz,
  -- Guards that size down: loss at all stops together, and net exposure, percent of the equity. Accounts that were made before them have
  -- null.
  guard_stops_pct double precision default 5 check (guard_stops_pct between 0.5 and 100),
  guard_exposure_pct double precision default 200 check (guard_exposure_pct between 10 and 1000),
  -- Appearance. Null: never chosen in this account, so each browser uses its own choice.
  theme text check (theme in ('dark', 'light')),
  palette text check (palette in ('green-red', 'blue-orange')),
  time_zone text check (time_zone in ('local', 'utc')),
  updated_at timestamptz not null default now(),
  check (risk_min_pct <= risk_max_pct)
);
create index preferences_keep_scanning on preferences (user_id) where keep_scanning;
alter table preferences enable row level security, force row level security;
create policy own_rows on preferences to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on preferences to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on preferences to app_user;
-- The service reads who scans while away and switches it off when the credits run out; it writes the names of targets.
grant select, insert, update (telegram, webhook, keep_scanning, updated_at) on preferences to app_system;

create function note_floor_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'INSERT' then
    new.tuning_conf_floor_at = case when new.tuning_conf_floor is null then null else now() end;
  elsif new.tuning_conf_floor is distinct from old.tuning_conf_floor then
    new.tuning_conf_floor_at = now();
  else
    new.tuning_conf_floor_at = old.tuning_conf_floor_at;
  end if;
  return new;
end $$;
revoke execute on function note_floor_change() from public;
create trigger preferences_floor before insert or update on preferences for each row execute function note_floor_change();

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
alter table profiles enable row level security, force row level security;
create policy own_rows on profiles to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on profiles to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert (user_id, display_name, bio, avatar_url, avatar_path, cover_url, cover_path), update (display_name, bio,
  avatar_url, avatar_path, cover_url, cover_path, updated_at) on profiles to app_user;
grant select, insert, update (username, updated_at) on profiles to app_system;

-- An account without a preferences or profile row cannot exist: the rows come with it, in its transaction.
create function create_rows_of_user() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  insert into public.preferences (user_id) values (new.id);
  insert into public.profiles (user_id, display_name, username) values (new.id, left(new.name, 50), new.username);
  return null;
end $$;
revoke execute on function create_rows_of_user() from public;
create trigger users_rows after insert on users for each row execute function create_rows_of_user();

-- users.username is the unique one; the profile shows the same.
create function copy_username_to_profile() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  update public.profiles set username = new.username, updated_at = now() where user_id = new.id;
  return null;
end $$;
revoke execute on function copy_username_to_profile() from public;
create trigger users_username after update of username on users
  for each row when (old.username is distinct from new.username) execute function copy_username_to_profile();

-- Every file stored for a user. The bytes are in the file storage, under a path that starts with the owner's id; URLs have the random
-- id. A row is deleted after its bytes, so that no file is left without a row.
create table stored_files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('avatar', 'cover')),
  path text not null check (path ~ '^[0-9a-f-]{36}/[0-9]{13}\.webp$' and starts_with(path, user_id::text || '/')),
  media_type text not null check (media_type = 'image/webp'),
  byte_count integer not null check (byte_count between 1 and 4194304),
  width integer not null check (width between 1 and 8192),
  height integer not null check (height between 1 and 8192),
  created_at timestamptz not null default now(),
  unique (user_id, path)
);
create index stored_files_user_created on stored_files (user_id, created_at);
alter table stored_files enable row level security, force row level security;
create policy own_rows on stored_files to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on stored_files to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on stored_files to app_user;
grant select on stored_files to app_system;

-- The symbols a user watches, at most 200: counted by server/src/features/watchlist under a lock of the user.
create table watchlist (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (symbol ~ '^[A-Z0-9\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]{1,36}USDT$'),
  created_at timestamptz not null default now(),
  unique (user_id, symbol)
);
create index watchlist_user_created on watchlist (user_id, created_at);
alter table watchlist enable row level security, force row level security;
create policy own_rows on watchlist to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on watchlist to app_user;

-- What a user draws on the chart of a symbol. A drawing holds the version of the row that changed it last, so that a change can say which
-- drawings another page had changed. Limits: workers/src/core/chartDrawings.ts; 300 drawings with the longest texts take 250 kB.
create table chart_drawings (
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (symbol ~ '^[A-Z0-9\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]{1,36}USDT$'),
  version integer not null check (version > 0),
  drawings jsonb not null check (jsonb_typeof(drawings) = 'array' and pg_column_size(drawings) <= 524288),
  updated_at timestamptz not null default now(),
  primary key (user_id, symbol)
);
alter table chart_drawings enable row level security, force row level security;
create policy own_rows on chart_drawings to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete, update (version, drawings, updated_at) on chart_drawings to app_user;

-- Named arrangements of charts: symbols, intervals, scales and indicators.
create table chart_layouts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 16384),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);
alter table chart_layouts enable row level security, force row level security;
create policy own_rows on chart_layouts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete, update (name, value, updated_at) on chart_layouts to app_user;

-- What a user allows. Without a row the defaults of the table apply.
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
alter table privacy_settings enable row level security, force row level security;
create policy own_rows on privacy_settings to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on privacy_settings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on privacy_settings to app_user;
grant select on privacy_settings to app_system;

-- An account that is to be deleted. From erasing_at on it cannot be cancelled. The row is deleted with the account.
create table deletion_requests (
  user_id uuid primary key references users (id) on delete cascade,
  requested_at timestamptz not null default now(),
  erase_after timestamptz not null,
  erasing_at timestamptz,
  -- When the erasing was last tried. Accounts that fail go behind those that were not tried yet, so they hold up no other.
  tried_at timestamptz,
  check (erase_after >= requested_at)
);
create index deletion_requests_due on deletion_requests (erase_after);
create index deletion_requests_turn on deletion_requests (tried_at nulls first, erase_after);
alter table deletion_requests enable row level security, force row level security;
create policy own_rows on deletion_requests to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on deletion_requests to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
-- A request ends every session too, which is the service's work.
grant select on deletion_requests to app_user;
grant select, insert, delete, update on deletion_requests to app_system;

-- Users that a user follows in the ranking: only those that allow it, which is checked again at each read.
create table follows (
  user_id uuid not null references users (id) on delete cascade,
  followed_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, followed_id),
  check (user_id <> followed_id)
);
create index follows_followed on follows (followed_id);
create index follows_user_created on follows (user_id, created_at desc);
alter table follows enable row level security, force row level security;
create policy own_rows on follows to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on follows to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on follows to app_user;
grant select, delete on follows to app_system;

-- News of the operator to every user who allows it. Written with SQL by the owner of the database: the product has no administrator.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  subject text not null check (length(subject) between 1 and 120),
  body text not null check (length(body) between 1 and 5000),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  sent_count integer check (sent_count >= 0),
  check ((sent_at is null) = (sent_count is null))
);
alter table announcements enable row level security, force row level security;
create policy system_rows on announcements to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, update (sent_at, sent_count) on announcements to app_system;
