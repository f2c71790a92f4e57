-- Messages to people outside the pages: a Telegram chat or a URL of theirs, each switched on by them.

create table notification_targets (
  user_id uuid not null references users (id) on delete cascade,
  channel text not null check (channel in ('telegram', 'webhook')),
  -- telegram: the id of the chat, told by Telegram itself; webhook: the URL.
  address text not null check (length(address) between 1 and 2000),
  -- Name of the chat, for its owner to recognise.
  label text check (length(label) between 1 and 100),
  is_on boolean not null default true,
  -- What it is told of.
  kinds text[] not null default '{scan_finished,credits_low,position_opened,position_closed}'
    check (kinds <@ array['scan_finished', 'credits_low', 'position_opened', 'position_closed']),
  -- Why the service switched it off; its owner switches it on again.
  off_reason text check (length(off_reason) between 1 and 200),
  -- Since when nothing has arrived.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, channel),
  check (not (is_on and off_reason is not null))
);
create index notification_targets_user_created on notification_targets (user_id, created_at);

-- Keys webhooks are signed with, sealed. Apart from the targets, because their owners read those and see a key only once.
create table webhook_keys (
  user_id uuid primary key references users (id) on delete cascade,
  sealed text not null check (length(sealed) between 1 and 500),
  created_at timestamptz not null default now()
);

-- One open invitation per person: whoever sends its code to the bot gives us that chat.
create table telegram_links (
  user_id uuid primary key references users (id) on delete cascade,
  code_hash text not null unique check (length(code_hash) = 43),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index telegram_links_expiry on telegram_links (expires_at);

-- Which node reads the bot's updates, and from where. One row; a lease, because the read is a call to outside.
create table telegram_cursor (
  id boolean primary key default true check (id),
  next_update_id bigint not null default 0,
  leased_until timestamptz not null default '-infinity'
);
insert into telegram_cursor default values;

create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('scan_finished', 'credits_low', 'position_opened', 'position_closed', 'test')),
  -- What it is about, e.g. the id of the scan: told once, however often it is queued.
  key text not null check (length(key) between 1 and 100),
  payload jsonb not null check (pg_column_size(payload) <= 8192),
  created_at timestamptz not null default now(),
  -- When its deliveries were made, one for each target that wanted it.
  dispatched_at timestamptz,
  unique (user_id, kind, key)
);
create index notifications_undispatched on notifications (created_at) where dispatched_at is null;
create index notifications_user_created on notifications (user_id, created_at);
create index notifications_created on notifications (created_at);

create table notification_deliveries (
  -- Stays the same for every attempt: a receiver knows a repetition by it.
  id uuid primary key default gen_random_uuid(),
  notification_id uuid not null references notifications (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  channel text not null check (channel in ('telegram', 'webhook')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempt_count integer not null default 0 check (attempt_count between 0 and 100),
  next_attempt_at timestamptz not null default now(),
  -- Of the last attempt: what the other side answered, or why there was no answer.
  status integer check (status between 100 and 599),
  failure text check (length(failure) between 1 and 300),
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  unique (notification_id, channel),
  check ((state = 'waiting') = (finished_at is null))
);
create index notification_deliveries_user_created on notification_deliveries (user_id, created_at desc);

alter table notification_targets enable row level security;
alter table notification_targets force row level security;
alter table webhook_keys enable row level security;
alter table webhook_keys force row level security;
alter table telegram_links enable row level security;
alter table telegram_links force row level security;
alter table telegram_cursor enable row level security;
alter table telegram_cursor force row level security;
alter table notifications enable row level security;
alter table notifications force row level security;
alter table notification_deliveries enable row level security;
alter table notification_deliveries force row level security;

create policy own_rows on notification_targets for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notification_targets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on webhook_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on telegram_links to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on telegram_cursor to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on notifications for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notifications to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on notification_deliveries for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notification_deliveries to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on notification_targets to app_user;
grant select, insert, delete on notification_targets, webhook_keys to app_system;
grant update (sealed, created_at) on webhook_keys to app_system;
grant update (address, label, is_on, kinds, off_reason, failing_since) on notification_targets to app_system;
grant select, insert, delete on telegram_links to app_system;
grant update (code_hash, expires_at, created_at) on telegram_links to app_system;
grant select on telegram_cursor to app_system;
grant update (next_update_id, leased_until) on telegram_cursor to app_system;
grant select on notifications, notification_deliveries to app_user;
grant select, insert, delete on notifications to app_system;
grant update (dispatched_at) on notifications to app_system;
grant select, insert on notification_deliveries to app_system;
grant update (state, attempt_count, next_attempt_at, status, failure, finished_at) on notification_deliveries to app_system;
