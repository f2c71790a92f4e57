-- The symbols a person watches. At most 200 of each: counted by server/src/features/watchlist under a lock of the person.
create table watchlist (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (symbol ~ '^[A-Z0-9]{2,24}USDT$'),
  created_at timestamptz not null default now(),
  unique (user_id, symbol)
);
create index watchlist_user_created on watchlist (user_id, created_at);

alter table watchlist enable row level security;
alter table watchlist force row level security;

create policy own_rows on watchlist to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));

grant select, insert, delete on watchlist to app_user;
