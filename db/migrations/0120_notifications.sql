-- Messages to users outside the pages: a Telegram chat or a URL, each switched on by the user.
create table notification_targets (
  user_id uuid not null references users (id) on delete cascade,
  channel text not null check (channel in ('telegram', 'webhook')),
  -- telegram: the id of the chat, as Telegram reported it; webhook: the URL.
  address text not null check (length(address) between 1 and 2000),
  -- Name of the chat, for its owner to recognise.
  label text check (length(label) between 1 and 100),
  is_on boolean not null default true,
  -- Kinds of messages that it gets.
  kinds text[] not null default '{scan_finished,credits_low,position_opened,position_closed,arbitrage_spread}'
    check (kinds <@ array['scan_finished', 'credits_low', 'position_opened', 'position_closed', 'arbitrage_spread']),
  -- Why the service switched it off; its owner switches it on again.
  off_reason text check (length(off_reason) between 1 and 200),
  -- Since when nothing has arrived.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, channel),
  check (not (is_on and off_reason is not null))
);
create index notification_targets_user_created on notification_targets (user_id, created_at);
alter table notification_targets enable row level security, force row level security;
create policy own_rows on notification_targets for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notification_targets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on notification_targets to app_user;
grant select, insert, delete, update (address, label, is_on, kinds, off_reason, failing_since) on notification_targets to app_system;

-- Keys webhooks are signed with, sealed. Separate from the targets, because their owners read those and see a key only once.
create table webhook_keys (
  user_id uuid primary key references users (id) on delete cascade,
  sealed text not null check (length(sealed) between 1 and 500),
  -- A replaced key signs beside its successor for a day, so that a receiver can change over without rejecting a message.
  previous_sealed text check (length(previous_sealed) between 1 and 500),
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  check ((previous_sealed is null) = (previous_until is null))
);
alter table webhook_keys enable row level security, force row level security;
create policy system_rows on webhook_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (sealed, previous_sealed, previous_until, created_at) on webhook_keys to app_system;

-- One open invitation per user: the chat that sends its code to the bot becomes the target.
create table telegram_links (
  user_id uuid primary key references users (id) on delete cascade,
  code_hash text not null unique check (length(code_hash) = 43),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index telegram_links_expiry on telegram_links (expires_at);
alter table telegram_links enable row level security, force row level security;
create policy system_rows on telegram_links to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (code_hash, expires_at, created_at) on telegram_links to app_system;

-- Position in the updates of the bot. One row; a lease, because the read is a call to outside.
create table telegram_cursor (
  id boolean primary key default true check (id),
  next_update_id bigint not null default 0,
  leased_until timestamptz not null default '-infinity'
);
insert into telegram_cursor default values;
alter table telegram_cursor enable row level security, force row level security;
create policy system_rows on telegram_cursor to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, update (next_update_id, leased_until) on telegram_cursor to app_system;

-- Webhooks of the API: endpoints of programs, each with its own events, key and numbered messages.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  url text not null check (length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) between 1 and 8 and events <@ array['signal.created', 'signal.found',
    'position.opened', 'position.closed', 'alert.fired', 'payment.completed', 'credits.low', 'plan.expiring']),
  -- Fields of the request that the service does not know: stored for the owner, never interpreted.
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object' and pg_column_size(payload) <= 8192),
  -- Last characters of the key.
  secret_hint text not null check (length(secret_hint) between 1 and 10),
  is_on boolean not null default true,
  -- Why the service switched it off; the owner switches it on again.
  off_reason text check (length(off_reason) between 1 and 200),
  -- Since when nothing has arrived.
  failing_since timestamptz,
  -- Number of the newest message; tests have none.
  last_sequence bigint not null default 0 check (last_sequence >= 0),
  last_test_at timestamptz,
  last_test_succeeded boolean,
  last_delivery_at timestamptz,
  last_status integer check (last_status between 100 and 599),
  created_at timestamptz not null default now(),
  check (not (is_on and off_reason is not null)),
  check ((last_test_at is null) = (last_test_succeeded is null))
);
create index webhooks_user_created on webhooks (user_id, created_at);
alter table webhooks enable row level security, force row level security;
create policy own_rows on webhooks for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on webhooks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on webhooks to app_user;
grant select, insert, delete, update (url, events, secret_hint, is_on, off_reason, failing_since, last_sequence, last_test_at,
  last_test_succeeded, last_delivery_at, last_status) on webhooks to app_system;

-- Keys that messages are signed with, sealed. A separate table, because owners read the webhooks and see a key only once.
create table webhook_secrets (
  webhook_id uuid primary key references webhooks (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  sealed text not null check (length(sealed) between 1 and 500),
  -- The key before a rotation signs, too, until then.
  previous_sealed text check (length(previous_sealed) between 1 and 500),
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  check ((previous_sealed is null) = (previous_until is null))
);
create index webhook_secrets_user_created on webhook_secrets (user_id, created_at);
alter table webhook_secrets enable row level security, force row level security;
create policy system_rows on webhook_secrets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (sealed, previous_sealed, previous_until, created_at) on webhook_secrets to app_system;

create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('scan_finished', 'credits_low', 'position_opened',
    'position_closed', 'arbitrage_spread', 'signal_created', 'signal_found', 'payment_completed', 'plan_expiring', 'alert_fired',
    'alert_ended', 'test')),
  -- Subject, e.g. the id of the scan: sent once, however often it is queued.
  key text not null check (length(key) between 1 and 100),
  payload jsonb not null check (pg_column_size(payload) <= 8192),
  created_at timestamptz not null default now(),
  -- When its deliveries were made, one for each target of its kind.
  dispatched_at timestamptz,
  unique (user_id, kind, key)
);
create index notifications_undispatched on notifications (created_at) where dispatched_at is null;
create index notifications_user_created on notifications (user_id, created_at);
create index notifications_created on notifications (created_at);
alter table notifications enable row level security, force row level security;
create policy own_rows on notifications for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notifications to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on notifications to app_user;
grant select, insert, delete, update (dispatched_at) on notifications to app_system;

create table notification_deliveries (
  -- The same for every attempt: a receiver recognises a repetition by it.
  id uuid primary key default gen_random_uuid(),
  notification_id uuid not null references notifications (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- endpoint: a webhook of the API; webhook: the one URL of the notification settings.
  channel text not null check (channel in ('telegram', 'webhook', 'endpoint', 'email', 'push')),
  webhook_id uuid references webhooks (id) on delete cascade,
  sequence bigint check (sequence >= 1),
  -- The browser of a push. Without a reference: the log outlives the subscription.
  push_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempt_count integer not null default 0 check (attempt_count between 0 and 100),
  next_attempt_at timestamptz not null default now(),
  -- Of the last attempt: the status of the response, or why there was none.
  status integer check (status between 100 and 599),
  failure text check (length(failure) between 1 and 300),
  duration_ms integer check (duration_ms >= 0),
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  constraint notification_deliveries_target_key unique nulls not distinct (notification_id, channel, webhook_id, push_id),
  constraint notification_deliveries_webhook_check check ((channel = 'endpoint') = (webhook_id is not null)),
  constraint notification_deliveries_push_check check ((channel = 'push') = (push_id is not null)),
  check ((state = 'waiting') = (finished_at is null))
);
create index notification_deliveries_user_created on notification_deliveries (user_id, created_at desc);
create index notification_deliveries_webhook_created on notification_deliveries (webhook_id, created_at desc);
-- Messages that failed and are repeated: while one of a target waits, the target's later ones wait too.
create index notification_deliveries_repeated on notification_deliveries (user_id) where state = 'waiting' and attempt_count > 0;
alter table notification_deliveries enable row level security, force row level security;
create policy own_rows on notification_deliveries for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on notification_deliveries to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on notification_deliveries to app_user;
grant select, insert, update (state, attempt_count, next_attempt_at, status, failure, duration_ms, finished_at) on
  notification_deliveries to app_system;

-- Alerts of users, with receipts of their firings below, and the browsers that receive pushes.
create table alerts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  market text not null check (market in ('simulated', 'replay', 'live')),
  -- By kind; workers/src/alerts/conditions.ts has the shapes.
  condition jsonb not null check (jsonb_typeof(condition) = 'object' and pg_column_size(condition) <= 8192),
  repeats boolean not null default false,
  -- Least time between two firings of a repeated alert.
  pause_s integer not null default 60 check (pause_s between 1 and 604800),
  channels text[] not null check (cardinality(channels) between 1 and 5
    and channels <@ array['page', 'push', 'email', 'telegram', 'webhook']),
  note text check (length(note) between 1 and 200),
  expires_at timestamptz,
  state text not null default 'active' check (state in ('active', 'paused', 'fired', 'expired', 'stopped')),
  -- Why the service stopped it.
  state_reason text check (length(state_reason) between 1 and 300),
  -- Side of the level at which the value stood, by the exchange's time below; null: not known yet.
  side text check (side in ('below', 'above')),
  since_ms bigint not null,
  fired_count integer not null default 0 check (fired_count >= 0),
  last_fired_ms bigint,
  last_fired_at timestamptz,
  -- Increases with each change by the owner: a decision about an older version is dropped.
  version integer not null default 1 check (version >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index alerts_user_created on alerts (user_id, created_at desc);
create index alerts_active on alerts (market) where state = 'active';
create index alerts_expiry on alerts (expires_at) where state = 'active' and expires_at is not null;
alter table alerts enable row level security, force row level security;
create policy own_rows on alerts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on alerts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (condition, repeats, pause_s, channels, note, expires_at, state, state_reason, side, since_ms,
  version, updated_at) on alerts to app_user;
grant select, update (state, state_reason, side, since_ms, fired_count, last_fired_ms, last_fired_at, updated_at) on alerts to
  app_system;

-- What decided each firing.
create table alert_receipts (
  id uuid primary key default gen_random_uuid(),
  alert_id uuid not null references alerts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- Number of the firing of its alert: each crossing fires once.
  firing integer not null check (firing >= 1),
  condition jsonb not null check (pg_column_size(condition) <= 8192),
  evidence jsonb not null check (jsonb_typeof(evidence) = 'object' and pg_column_size(evidence) <= 8192),
  note text check (length(note) between 1 and 200),
  channels text[] not null,
  -- Time of the exchange, of the detection, and of the first page that showed it.
  exchange_at timestamptz not null,
  detected_at timestamptz not null,
  shown_at timestamptz,
  is_late boolean not null,
  created_at timestamptz not null default now(),
  unique (alert_id, firing)
);
create index alert_receipts_user_created on alert_receipts (user_id, created_at desc);
create index alert_receipts_alert on alert_receipts (alert_id, firing desc);
create index alert_receipts_created on alert_receipts (created_at);
alter table alert_receipts enable row level security, force row level security;
create policy own_rows on alert_receipts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on alert_receipts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, update (shown_at) on alert_receipts to app_user;
grant select, insert, delete on alert_receipts to app_system;

-- Exchange time up to which the minute candles of a series are judged.
create table alert_watermarks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange text not null,
  symbol text not null,
  next_ms bigint not null,
  primary key (market, exchange, symbol)
);
alter table alert_watermarks enable row level security, force row level security;
create policy system_rows on alert_watermarks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (next_ms) on alert_watermarks to app_system;

-- Keys of this installation for Web Push (RFC 8292): one pair, made at the first start, the private one sealed.
create table push_keys (
  id boolean primary key default true check (id),
  public_key text not null check (length(public_key) between 80 and 100),
  sealed text not null check (length(sealed) between 1 and 500),
  created_at timestamptz not null default now()
);
alter table push_keys enable row level security, force row level security;
create policy system_rows on push_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on push_keys to app_system;

-- Browsers that receive pushes.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) between 1 and 1000),
  p256dh text not null check (length(p256dh) between 80 and 100),
  -- Secret shared with the browser, sealed for its owner.
  sealed_auth text not null check (length(sealed_auth) between 1 and 200),
  label text not null check (length(label) between 1 and 100),
  last_sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id, created_at);
alter table push_subscriptions enable row level security, force row level security;
create policy own_rows on push_subscriptions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on push_subscriptions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on push_subscriptions to app_user;
grant select, insert, delete, update (user_id, p256dh, sealed_auth, label, last_sent_at) on push_subscriptions to app_system;
