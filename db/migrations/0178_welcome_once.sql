-- Welcome credits come once to each address. What was given outlives the account, as a hash under a key that is not in the database:
-- nobody can read an address from it, and nothing ties it to an account that is gone.
create table welcome_grants (
  email_hash text primary key check (length(email_hash) = 43),
  created_at timestamptz not null default now()
);
alter table welcome_grants enable row level security;
alter table welcome_grants force row level security;
create policy system_rows on welcome_grants to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on welcome_grants to app_system;

-- Of the address an account was made with. Null for the demo account, and until the service has marked an account from before.
alter table users add column welcome_hash text check (length(welcome_hash) = 43);
create index users_unmarked on users (created_at) where welcome_hash is null;

create or replace function create_credits_of_user() returns trigger language plpgsql set search_path = pg_catalog, public as $$
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
