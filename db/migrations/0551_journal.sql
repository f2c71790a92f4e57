-- What a user writes about a position, and the chart as it was when they wrote. The picture has a row of its own: entries are read often
-- and pictures seldom. Limits: workers/src/core/journal.ts.
create table journal_entries (
  position_id uuid not null references positions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  note text not null check (length(note) <= 4000),
  tags text[] not null check (cardinality(tags) <= 10),
  -- Rises with each change, so that one page does not overwrite another unseen.
  revision integer not null check (revision >= 1),
  updated_at timestamptz not null default now(),
  primary key (user_id, position_id)
);
create index journal_entries_position on journal_entries (position_id);

alter table journal_entries enable row level security;
alter table journal_entries force row level security;
create policy own_rows on journal_entries to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on journal_entries to app_user;
grant update (note, tags, revision, updated_at) on journal_entries to app_user;

create table journal_pictures (
  position_id uuid not null references positions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- WebP, encoded by the server.
  picture bytea not null check (octet_length(picture) between 1 and 524288),
  width integer not null check (width between 1 and 1600),
  height integer not null check (height between 1 and 1600),
  created_at timestamptz not null default now(),
  primary key (user_id, position_id)
);
create index journal_pictures_position on journal_pictures (position_id);
create index journal_pictures_user_created on journal_pictures (user_id, created_at desc);

alter table journal_pictures enable row level security;
alter table journal_pictures force row level security;
create policy own_rows on journal_pictures to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on journal_pictures to app_user;
grant update (picture, width, height, created_at) on journal_pictures to app_user;
