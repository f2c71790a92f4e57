-- Networks from which an account was entered before: what strangers guess elsewhere does not lock its owner out there. A hash with the
-- account in it, so that the table lists no addresses and joins nothing across accounts.
create table sign_in_networks (
  user_id uuid not null references users (id) on delete cascade,
  network_hash text not null check (length(network_hash) = 64),
  used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);

alter table sign_in_networks enable row level security;
alter table sign_in_networks force row level security;
create policy system_rows on sign_in_networks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on sign_in_networks to app_system;
grant update (used_at) on sign_in_networks to app_system;
