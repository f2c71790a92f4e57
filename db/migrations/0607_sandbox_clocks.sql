-- expand
-- The clock that the test keys of an account moved, with what was bought on it. Accounts without a row stand at the start.
create table sandbox_clocks (
  user_id uuid primary key references users (id) on delete cascade,
  version integer not null check (version > 0),
  world jsonb not null check (jsonb_typeof(world) = 'object' and pg_column_size(world) <= 16384)
);

alter table sandbox_clocks enable row level security;
alter table sandbox_clocks force row level security;
create policy own_rows on sandbox_clocks to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert on sandbox_clocks to app_user;
grant update (version, world) on sandbox_clocks to app_user;
