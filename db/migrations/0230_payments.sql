-- Purchases of credits. payment_events is the record and is never changed; a row of payments is the sum of its events, kept beside
-- them so that lists are read without adding up. Credits themselves stay in credit_ledger.

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

create table payments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- Credits ordered; 1 credit is 1 USD.
  tokens integer not null check (tokens between 1 and 1000000),
  amount_cents integer not null check (amount_cents = tokens * 100),
  method text not null check (method in ('usdt', 'bnb', 'card')),
  provider text not null check (provider in ('nowpayments', 'moonpay')),
  -- Our id of the order at the provider.
  provider_order_id uuid not null default gen_random_uuid(),
  -- Null until the provider has answered.
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  status text not null default 'PENDING'
    check (status in ('PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED')),
  -- The last word of the provider, unchanged.
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
  -- When the provider was asked last.
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status <> 'COMPLETED' or credits > credits_refunded),
  check ((credits > 0) = (credited_at is not null))
);
create index payments_user_created on payments (user_id, created_at desc);
create unique index payments_order on payments (provider_order_id);
create unique index payments_provider_payment on payments (provider, provider_payment_id) where provider_payment_id is not null;
-- One open order of a person with each provider.
create unique index payments_open on payments (user_id, provider) where status = 'PENDING';
create index payments_unchecked on payments (created_at) where status <> 'COMPLETED';

create function check_payment_transition() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if new.status is distinct from old.status and not exists (
    select from public.payment_transitions where from_status = old.status and to_status = new.status)
  then
    raise exception 'a payment does not change from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
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
  -- Of the transfer: a further one to the same address has an id of its own.
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  provider_status text check (length(provider_status) between 1 and 40),
  -- Added, or taken back when negative: in the same transaction as the entries of credit_ledger.
  credits integer not null default 0 check (abs(credits) <= 1000000),
  paid_amount numeric check (paid_amount >= 0),
  pay_currency text check (length(pay_currency) between 1 and 20),
  transaction_hash text check (length(transaction_hash) between 1 and 200),
  note text check (length(note) between 1 and 300),
  -- The same fact told twice is one event.
  idempotency_key text not null check (length(idempotency_key) between 1 and 150),
  created_at timestamptz not null default now(),
  unique (payment_id, idempotency_key),
  constraint payment_events_credits check (case
    when kind in ('credited', 'late', 'partial', 'child') then credits > 0 and provider_payment_id is not null
    when kind = 'refunded' then credits <= 0
    else credits = 0 end)
);
create index payment_events_user_created on payment_events (user_id, created_at);
-- A transfer is credited once up to the same total, whatever order it is said to belong to, and refunded once.
create unique index payment_events_transfer on payment_events (provider, idempotency_key)
  where kind in ('credited', 'late', 'partial', 'child', 'refunded');

create function refuse_payment_record_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger payment_events_rows before update or delete on payment_events
  for each row execute function refuse_payment_record_change();
create trigger payment_events_truncate before truncate on payment_events
  for each statement execute function refuse_truncate();

-- What an account owes after a refund of credits it had spent. Paid work waits until it is zero.
alter table balances add column owed_credits integer not null default 0 check (owed_credits >= 0);
grant update (owed_credits) on balances to app_system;

-- The last number given out in each year.
create table receipt_counters (
  year integer primary key check (year between 2020 and 2100),
  last_number integer not null check (last_number >= 0)
);

create table receipts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- The event it is about: one that added credits, or a refund.
  event_id uuid not null unique references payment_events (id) on delete cascade,
  year integer not null check (year between 2020 and 2100),
  number integer not null check (number >= 1),
  provider_order_id uuid not null,
  provider_payment_id text check (length(provider_payment_id) between 1 and 64),
  method text not null check (method in ('usdt', 'bnb', 'card')),
  credits integer not null check (credits <> 0),
  amount_cents integer not null check (amount_cents = credits * 100),
  seller jsonb not null check (pg_column_size(seller) <= 4096),
  created_at timestamptz not null default now(),
  unique (year, number)
);
create index receipts_user_created on receipts (user_id, created_at desc);
create trigger receipts_rows before update or delete on receipts
  for each row execute function refuse_payment_record_change();
create trigger receipts_truncate before truncate on receipts
  for each statement execute function refuse_truncate();

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

revoke execute on function check_payment_transition(), refuse_payment_record_change() from public;

alter table payment_transitions enable row level security;
alter table payment_transitions force row level security;
alter table payments enable row level security;
alter table payments force row level security;
alter table payment_events enable row level security;
alter table payment_events force row level security;
alter table receipt_counters enable row level security;
alter table receipt_counters force row level security;
alter table receipts enable row level security;
alter table receipts force row level security;
alter table payment_comparisons enable row level security;
alter table payment_comparisons force row level security;

create policy system_rows on payment_transitions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on payments for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on payments to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on payment_events for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on payment_events to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on receipt_counters to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on receipts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on receipts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on payment_comparisons to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on payments, payment_events, receipts to app_user;
grant select on payment_transitions to app_system;
grant select, insert on payments, payment_events, receipts, receipt_counters, payment_comparisons to app_system;
grant update (provider_payment_id, status, provider_status, pay_address, pay_amount, pay_currency, pay_memo, payment_url, paid_amount,
  transaction_hash, credits, credits_refunded, note, expires_at, credited_at, checked_at, updated_at) on payments to app_system;
grant update (last_number) on receipt_counters to app_system;
