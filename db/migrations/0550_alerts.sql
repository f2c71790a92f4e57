-- Alerts of users, the receipts of their firings, and the browsers that receive pushes.

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

-- Exchange time up to which the minute candles of a series are judged.
create table alert_watermarks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange text not null,
  symbol text not null,
  next_ms bigint not null,
  primary key (market, exchange, symbol)
);

-- Keys of this installation for Web Push (RFC 8292): one pair, made at the first start, the private one sealed.
create table push_keys (
  id boolean primary key default true check (id),
  public_key text not null check (length(public_key) between 80 and 100),
  sealed text not null check (length(sealed) between 1 and 500),
  created_at timestamptz not null default now()
);

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

alter table alerts enable row level security;
alter table alerts force row level security;
alter table alert_receipts enable row level security;
alter table alert_receipts force row level security;
alter table alert_watermarks enable row level security;
alter table alert_watermarks force row level security;
alter table push_keys enable row level security;
alter table push_keys force row level security;
alter table push_subscriptions enable row level security;
alter table push_subscriptions force row level security;

create policy own_rows on alerts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on alerts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on alert_receipts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on alert_receipts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on alert_watermarks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on push_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on push_subscriptions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on push_subscriptions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, delete on alerts to app_user;
grant update (condition, repeats, pause_s, channels, note, expires_at, state, state_reason, side, since_ms, version, updated_at)
  on alerts to app_user;
grant select on alerts to app_system;
grant update (state, state_reason, side, since_ms, fired_count, last_fired_ms, last_fired_at, updated_at) on alerts to app_system;
grant select on alert_receipts to app_user;
grant update (shown_at) on alert_receipts to app_user;
grant select, insert, delete on alert_receipts to app_system;
grant select, insert, delete on alert_watermarks to app_system;
grant update (next_ms) on alert_watermarks to app_system;
grant select, insert on push_keys to app_system;
grant select on push_subscriptions to app_user;
grant select, insert, delete on push_subscriptions to app_system;
grant update (user_id, p256dh, sealed_auth, label, last_sent_at) on push_subscriptions to app_system;

-- Messages of alerts: an alert names its channels itself.
alter table notifications drop constraint notifications_kind_check;
alter table notifications
  add constraint notifications_kind_check check (kind in ('scan_finished', 'credits_low', 'position_opened', 'position_closed',
    'arbitrage_spread', 'signal_created', 'signal_found', 'payment_completed', 'plan_expiring', 'alert_fired', 'test'));
alter table notification_deliveries
  drop constraint notification_deliveries_channel_check,
  drop constraint notification_deliveries_target_key,
  -- The browser of a push. Without a reference: the log outlives the subscription.
  add column push_id uuid,
  add constraint notification_deliveries_channel_check check (channel in ('telegram', 'webhook', 'endpoint', 'email', 'push')),
  add constraint notification_deliveries_push_check check ((channel = 'push') = (push_id is not null)),
  add constraint notification_deliveries_target_key unique nulls not distinct (notification_id, channel, webhook_id, push_id);
