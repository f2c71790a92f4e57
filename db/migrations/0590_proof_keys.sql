-- Ed25519 keys that sign proof-carrying results: the private key sealed, the public ones published, earlier ones for good.
create table proof_keys (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  public_key text not null unique check (public_key ~ '^[0-9a-f]{64}$'),
  sealed text not null check (length(sealed) between 1 and 500),
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
-- One key signs at a time.
create unique index proof_keys_current on proof_keys ((true)) where retired_at is null;

alter table proof_keys enable row level security;
alter table proof_keys force row level security;
create policy system_rows on proof_keys to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on proof_keys to app_system;
grant update (retired_at) on proof_keys to app_system;
