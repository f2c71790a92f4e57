-- Every file the product keeps for somebody. The bytes are in the file storage, under a path that begins with the owner's id; what
-- the web knows is the random id. A row is deleted after its bytes, so that nothing is stored that nobody knows of.
create table stored_files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('avatar', 'cover')),
  path text not null check (path ~ '^[0-9a-f-]{36}/[0-9]{13}\.webp$' and starts_with(path, user_id::text || '/')),
  media_type text not null check (media_type = 'image/webp'),
  byte_count integer not null check (byte_count between 1 and 4194304),
  width integer not null check (width between 1 and 8192),
  height integer not null check (height between 1 and 8192),
  created_at timestamptz not null default now(),
  unique (user_id, path)
);
create index stored_files_user_created on stored_files (user_id, created_at);

alter table stored_files enable row level security;
alter table stored_files force row level security;

create policy own_rows on stored_files to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on stored_files to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, delete on stored_files to app_user;
grant select on stored_files to app_system;
