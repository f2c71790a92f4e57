-- Credits. The ledger is the truth; the balance beside it is its sum, kept so that spending can be refused by one condition.
-- Nothing here can be written by a signed-in person: grants give app_user the reading of the own rows and nothing else.

-- What an account starts with. This function is the only place that says how many.
create function welcome_credits() returns integer language sql immutable set search_path = pg_catalog as 'select 10';

create table balances (
  user_id uuid primary key references users (id) on delete cascade,
  -- What can be spent. Held credits have left it already.
  credits integer not null default 0 check (credits >= 0),
  updated_at timestamptz not null default now()
);

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
  -- Why, where the reason does not say it: `expired`, `cancelled`.
  note text check (length(note) between 1 and 200),
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

-- For every role, the owner included: a mistake is corrected by a further entry. Rows go with their account only, when the row
-- they belong to is gone already.
create function refuse_ledger_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception 'credit_ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger credit_ledger_rows before update or delete on credit_ledger
  for each row execute function refuse_ledger_change();

create function refuse_truncate() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger credit_ledger_truncate before truncate on credit_ledger
  for each statement execute function refuse_truncate();

-- A person without a balance cannot exist: it comes with the account, in its transaction, and so does the welcome grant.
create function create_credits_of_user() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  insert into public.balances (user_id, credits) values (new.id, public.welcome_credits());
  insert into public.credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
  values (new.id, 'grant', 'welcome', public.welcome_credits(), 'welcome');
  return null;
end $$;
create trigger users_credits after insert on users for each row execute function create_credits_of_user();

insert into balances (user_id, credits) select id, welcome_credits() from users;
insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
select id, 'grant', 'welcome', welcome_credits(), 'welcome' from users;

-- Answers to calls that carried an Idempotency-Key, in the transaction of what they did.
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

revoke execute on function refuse_ledger_change(), refuse_truncate(), create_credits_of_user(), welcome_credits() from public;
grant execute on function welcome_credits() to app_user, app_system;

alter table balances enable row level security;
alter table balances force row level security;
alter table credit_ledger enable row level security;
alter table credit_ledger force row level security;
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;

create policy own_rows on balances for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on balances to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on credit_ledger for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on credit_ledger to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on idempotency_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on balances, credit_ledger to app_user;
grant select, insert on balances, credit_ledger to app_system;
grant update (credits, updated_at) on balances to app_system;
grant select, insert, delete on idempotency_keys to app_system;
