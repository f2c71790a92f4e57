-- Credits, plans and payments. The ledger is the truth; the balance beside it is its sum, stored so that spending can be rejected by one
-- condition. Users write nothing here: app_user may only read own rows.

-- Credits that an account starts with. No other place states the number.
create function welcome_credits() returns integer language sql immutable set search_path = pg_catalog as 'select 10';
revoke execute on function welcome_credits() from public;
grant execute on function welcome_credits() to app_user, app_system;

create table balances (
  user_id uuid primary key references users (id) on delete cascade,
  -- What can be spent. Held credits have left it already.
  credits integer not null default 0 check (credits >= 0),
  -- Owed after a refund of credits that were spent. Paid work waits until it is zero.
  owed_credits integer not null default 0 check (owed_credits >= 0),
  updated_at timestamptz not null default now()
);
alter table balances enable row level security, force row level security;
create policy own_rows on balances for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on balances to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on balances to app_user;
grant select, insert, update (credits, owed_credits, updated_at) on balances to app_system;

create table credit_ledger (
  id uuid primary key default gen_random_uuid(),
  -- The order in which entries were made; created_at is the same for all entries of one transaction.
  seq bigint generated always as identity unique,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  reason text not null check (reason ~ '^[a-z_]{1,40}$'),
  delta_credits integer not null check (abs(delta_credits) <= 1000000),
  -- What it was for, e.g. the id of the scan.
  ref text check (length(ref) between 1 and 100),
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  hold_id uuid references credit_ledger (id),
  expires_at timestamptz,
  -- Detail that the reason leaves open: `expired`, `cancelled`.
  note text check (length(note) between 1 and 200),
  -- The key that spent the credits, for its monthly cap. Null for sessions.
  api_key_id uuid references api_keys (id) deferrable initially deferred,
  created_at timestamptz not null default now(),
  unique (user_id, idempotency_key),
  constraint credit_ledger_shape check (case kind
    when 'grant' then delta_credits > 0 and hold_id is null and expires_at is null
    when 'hold' then delta_credits < 0 and hold_id is null and expires_at is not null
    when 'capture' then delta_credits = 0 and hold_id is not null and expires_at is null
    else delta_credits > 0 and hold_id is not null and expires_at is null end)
);
-- A hold is settled once: captured or released, never both.
create unique index credit_ledger_settlement on credit_ledger (hold_id) where hold_id is not null;
create index credit_ledger_user_created on credit_ledger (user_id, created_at desc, seq desc);
create index credit_ledger_holds on credit_ledger (expires_at) where kind = 'hold';
create trigger credit_ledger_truncate before truncate on credit_ledger
  for each statement execute function refuse_truncate();
create index credit_ledger_api_key on credit_ledger (api_key_id, created_at);
alter table credit_ledger enable row level security, force row level security;
create policy own_rows on credit_ledger for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on credit_ledger to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on credit_ledger to app_user;
grant select, insert on credit_ledger to app_system;

-- For every role, the owner included: a mistake is corrected by a further entry. Rows go with their account only.
create function refuse_ledger_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception 'credit_ledger is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_ledger_change() from public;
create trigger credit_ledger_rows before update or delete on credit_ledger
  for each row execute function refuse_ledger_change();

-- Welcome credits are granted once to each address. The record outlives the account, as a hash under a key that is not in the database:
-- no address can be read from it, and nothing links it to a deleted account.
create table welcome_grants (
  email_hash text primary key check (length(email_hash) = 43),
  created_at timestamptz not null default now()
);
alter table welcome_grants enable row level security, force row level security;
create policy system_rows on welcome_grants to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on welcome_grants to app_system;

-- An account without a balance cannot exist: it comes with the account, in its transaction, and so does the welcome grant, once for each
-- address.
create function create_credits_of_user() returns trigger language plpgsql set search_path = pg_catalog, public as $$
declare
  given integer := public.welcome_credits();
begin
  if new.welcome_hash is not null then
    insert into public.welcome_grants (email_hash) values (new.welcome_hash) on conflict do nothing;
    if not found then given := 0; end if;
  end if;
  insert into public.balances (user_id, credits) values (new.id, given);
  if given > 0 then
    insert into public.credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
    values (new.id, 'grant', 'welcome', given, 'welcome');
  end if;
  return null;
end $$;
revoke execute on function create_credits_of_user() from public;
create trigger users_credits after insert on users for each row execute function create_credits_of_user();

-- Responses to calls with an Idempotency-Key, written in the transaction of their effect.
create table idempotency_keys (
  user_id uuid not null references users (id) on delete cascade,
  route text not null check (length(route) between 1 and 100),
  key text not null check (length(key) between 1 and 255),
  body_hash text not null check (body_hash ~ '^[0-9a-f]{64}$'),
  status integer not null check (status between 200 and 299),
  answer jsonb not null check (pg_column_size(answer) <= 1048576),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, route, key)
);
create index idempotency_keys_user_created on idempotency_keys (user_id, created_at);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
alter table idempotency_keys enable row level security, force row level security;
create policy system_rows on idempotency_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on idempotency_keys to app_system;

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
alter table api_subscriptions enable row level security, force row level security;
create policy own_rows on api_subscriptions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_subscriptions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_subscriptions to app_user;
grant select, insert, update (ended_at, notified_at) on api_subscriptions to app_system;

-- Purchases of credits. payment_events is the record and is never changed; a row of payments is the sum of its events, stored so that
-- lists are read without adding up. The credits are in credit_ledger.

-- Allowed changes of status: server/src/features/payments/states.ts has the same table.
create table payment_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into payment_transitions (from_status, to_status) values
  ('PENDING', 'COMPLETED'), ('PENDING', 'FAILED'), ('PENDING', 'CANCELLED'), ('PENDING', 'EXPIRED'), ('PENDING', 'REFUNDED'),
  ('COMPLETED', 'REFUNDED'),
  ('FAILED', 'COMPLETED'), ('FAILED', 'REFUNDED'),
  ('CANCELLED', 'COMPLETED'), ('CANCELLED', 'REFUNDED'),
  ('EXPIRED', 'COMPLETED'), ('EXPIRED', 'REFUNDED'),
  ('REFUNDED', 'COMPLETED');
alter table payment_transitions enable row level security, force row level security;
create policy system_rows on payment_transitions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on payment_transitions to app_system;

create table payments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- Credits ordered; 1 credit is 1 USD.
  tokens integer not null check (tokens between 1 and 1000000),
  amount_cents integer not null check (amount_cents = tokens * 100),
  method text not null check (method in ('usdt', 'bnb', 'card')),
  provider text not null check (provider in ('nowpayments', 'moonpay')),
  -- Id of the order at the provider.
  provider_order_id uuid not null default gen_random_uuid(),
  -- Null until the provider has responded.
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  status text not null default 'PENDING'
    check (status in ('PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED')),
  -- The last status that the provider sent, unchanged.
  provider_status text check (length(provider_status) between 1 and 40),
  pay_address text check (length(pay_address) between 1 and 200),
  pay_amount numeric check (pay_amount > 0),
  pay_currency text check (length(pay_currency) between 1 and 20),
  pay_memo text check (length(pay_memo) between 1 and 200),
  payment_url text check (length(payment_url) between 1 and 2000),
  paid_amount numeric check (paid_amount >= 0),
  transaction_hash text check (length(transaction_hash) between 1 and 200),
  credits integer not null default 0 check (credits >= 0),
  credits_refunded integer not null default 0 check (credits_refunded between 0 and credits),
  note text check (length(note) between 1 and 300),
  expires_at timestamptz not null,
  credited_at timestamptz,
  -- Time of the last request to the provider.
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 'COMPLETED' or credits > credits_refunded),
  check ((credits > 0) = (credited_at is not null))
);
create index payments_user_created on payments (user_id, created_at desc);
create unique index payments_order on payments (provider_order_id);
create unique index payments_provider_payment on payments (provider, provider_payment_id) where provider_payment_id is not null;
-- One open order of a user with each provider.
create unique index payments_open on payments (user_id, provider) where status = 'PENDING';
create index payments_unchecked on payments (created_at) where status <> 'COMPLETED';
alter table payments enable row level security, force row level security;
create policy own_rows on payments for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on payments to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on payments to app_user;
grant select, insert, update (provider_payment_id, status, provider_status, pay_address, pay_amount, pay_currency, pay_memo,
  payment_url, paid_amount, transaction_hash, credits, credits_refunded, note, expires_at, credited_at, checked_at, updated_at) on
  payments to app_system;

create function check_payment_transition() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if new.status is distinct from old.status and not exists (
    select from public.payment_transitions where from_status = old.status and to_status = new.status)
  then
    raise exception 'a payment does not change from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
revoke execute on function check_payment_transition() from public;
create trigger payments_transition before update of status on payments
  for each row execute function check_payment_transition();

create table payment_events (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  payment_id uuid not null references payments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('created', 'invoiced', 'seen', 'confirming', 'credited', 'late', 'partial', 'child', 'unmatched',
    'refunded', 'failed', 'cancelled', 'expired')),
  -- Of the payment, after the event.
  status text not null check (status in ('PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED')),
  provider text not null check (provider in ('nowpayments', 'moonpay')),
  -- Of the transfer: each further one to the same address has another id.
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  provider_status text check (length(provider_status) between 1 and 40),
  -- Added, or taken back when negative: in the same transaction as the entries of credit_ledger.
  credits integer not null default 0 check (abs(credits) <= 1000000),
  paid_amount numeric check (paid_amount >= 0),
  pay_currency text check (length(pay_currency) between 1 and 20),
  transaction_hash text check (length(transaction_hash) between 1 and 200),
  note text check (length(note) between 1 and 300),
  -- The same fact reported twice is one event.
  idempotency_key text not null check (length(idempotency_key) between 1 and 150),
  created_at timestamptz not null default now(),
  unique (payment_id, idempotency_key),
  constraint payment_events_credits check (case
    when kind in ('credited', 'late', 'partial', 'child') then credits > 0 and provider_payment_id is not null
    when kind = 'refunded' then credits <= 0
    else credits = 0 end)
);
create index payment_events_user_created on payment_events (user_id, created_at);
-- A transfer is credited once up to the same total, whichever order reports it, and refunded once.
create unique index payment_events_transfer on payment_events (provider, idempotency_key)
  where kind in ('credited', 'late', 'partial', 'child', 'refunded');
create trigger payment_events_truncate before truncate on payment_events
  for each statement execute function refuse_truncate();
-- Each report of a provider reads the order with which its transfer was first reported.
create index payment_events_of_transfer on payment_events (provider, provider_payment_id, seq) where provider_payment_id is not null;
alter table payment_events enable row level security, force row level security;
create policy own_rows on payment_events for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on payment_events to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on payment_events to app_user;
grant select, insert on payment_events to app_system;

create function refuse_payment_record_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_payment_record_change() from public;
create trigger payment_events_rows before update or delete on payment_events
  for each row execute function refuse_payment_record_change();

-- The last number given out in each year.
create table receipt_counters (
  year integer primary key check (year between 2020 and 2100),
  last_number integer not null check (last_number >= 0)
);
alter table receipt_counters enable row level security, force row level security;
create policy system_rows on receipt_counters to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (last_number) on receipt_counters to app_system;

create table receipts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users (id) on delete set null,
  -- The event it is about: one that added credits, or a refund.
  event_id uuid unique references payment_events (id) on delete set null,
  year integer not null check (year between 2020 and 2100),
  number integer not null check (number >= 1),
  provider_order_id uuid,
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  method text not null check (method in ('usdt', 'bnb', 'card')),
  credits integer not null check (credits <> 0),
  amount_cents integer not null check (amount_cents = credits * 100),
  seller jsonb not null check (pg_column_size(seller) <= 4096),
  created_at timestamptz not null default now(),
  unique (year, number),
  -- Either all of them name the buyer and the payment, or none does.
  constraint receipts_person check (num_nulls(user_id, event_id, provider_order_id) in (0, 3)
    and (user_id is not null or provider_payment_id is null))
);
create index receipts_user_created on receipts (user_id, created_at desc);
create trigger receipts_truncate before truncate on receipts
  for each statement execute function refuse_truncate();
alter table receipts enable row level security, force row level security;
create policy own_rows on receipts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on receipts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on receipts to app_user;
grant select, insert on receipts to app_system;

-- Receipts of a deleted account stay without the buyer, so that the numbers of a year have no gap and its total stays right:
-- docs/adr/0009.
create function keep_receipt() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  -- The foreign keys clear one column when the account is deleted: the other columns that lead to the buyer are cleared with it.
  if tg_op = 'UPDATE' and (new.user_id is null or new.event_id is null)
    and not exists (select from public.users where id = old.user_id)
  then
    new := old;
    new.user_id := null;
    new.event_id := null;
    new.provider_order_id := null;
    new.provider_payment_id := null;
    return new;
  end if;
  raise exception 'receipts is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function keep_receipt() from public;
create trigger receipts_rows before update or delete on receipts for each row execute function keep_receipt();

-- The daily comparison of what providers say was paid with what the ledger has.
create table payment_comparisons (
  id uuid primary key default gen_random_uuid(),
  compared_at timestamptz not null default now(),
  transfer_count integer not null check (transfer_count >= 0),
  provider_credits integer not null,
  ledger_credits integer not null,
  -- Transfers whose credits differ; empty when all is well.
  differing text[] not null default '{}'
);
create index payment_comparisons_at on payment_comparisons (compared_at desc);
alter table payment_comparisons enable row level security, force row level security;
create policy system_rows on payment_comparisons to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on payment_comparisons to app_system;
