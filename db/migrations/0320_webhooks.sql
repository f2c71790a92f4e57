-- Webhooks of the API: endpoints of programs, each with its own events, key and numbered messages.

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  url text not null check (length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) between 1 and 6 and events <@ array['signal.created', 'position.opened',
    'position.closed', 'payment.completed', 'credits.low', 'plan.expiring']),
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

-- Keys that messages are signed with, sealed. A separate table, because owners read the webhooks and see a key only once.
create table webhook_secrets (
  webhook_id uuid primary key references webhooks (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  sealed text not null check (length(sealed) between 1 and 500),
  -- The key of before a rotation signs, too, until then.
  previous_sealed text check (length(previous_sealed) between 1 and 500),
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  check ((previous_sealed is null) = (previous_until is null))
);
create index webhook_secrets_user_created on webhook_secrets (user_id, created_at);

alter table webhooks enable row level security;
alter table webhooks force row level security;
alter table webhook_secrets enable row level security;
alter table webhook_secrets force row level security;
create policy own_rows on webhooks for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on webhooks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on webhook_secrets to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on webhooks to app_user;
grant select, insert, delete on webhooks, webhook_secrets to app_system;
grant update (url, events, secret_hint, is_on, off_reason, failing_since, last_sequence, last_test_at, last_test_succeeded,
  last_delivery_at, last_status) on webhooks to app_system;
grant update (sealed, previous_sealed, previous_until, created_at) on webhook_secrets to app_system;

-- One log of deliveries for all channels: `endpoint` is a webhook of the API, `webhook` the one URL of the notification settings.
alter table notification_deliveries drop constraint notification_deliveries_channel_check;
alter table notification_deliveries drop constraint notification_deliveries_notification_id_channel_key;
alter table notification_deliveries
  add column webhook_id uuid references webhooks (id) on delete cascade,
  add column sequence bigint check (sequence >= 1),
  add column duration_ms integer check (duration_ms >= 0),
  add constraint notification_deliveries_channel_check check (channel in ('telegram', 'webhook', 'endpoint')),
  add constraint notification_deliveries_webhook_check check ((channel = 'endpoint') = (webhook_id is not null)),
  add constraint notification_deliveries_target_key unique nulls not distinct (notification_id, channel, webhook_id);
create index notification_deliveries_webhook_created on notification_deliveries (webhook_id, created_at desc);
grant update (duration_ms) on notification_deliveries to app_system;

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('scan_finished', 'credits_low', 'position_opened',
  'position_closed', 'arbitrage_spread', 'signal_created', 'payment_completed', 'plan_expiring', 'test'));
