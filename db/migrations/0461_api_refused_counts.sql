-- Refused calls of a key beyond the number a minute that are listed in api_calls: counted by the hour.
create table api_refused_counts (
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  hour timestamptz not null,
  count bigint not null check (count > 0),
  primary key (key_id, hour)
);
create index api_refused_counts_user_hour on api_refused_counts (user_id, hour);

alter table api_refused_counts enable row level security;
alter table api_refused_counts force row level security;
create policy own_rows on api_refused_counts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on api_refused_counts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on api_refused_counts to app_user;
grant select, insert, delete, update (count) on api_refused_counts to app_system;
