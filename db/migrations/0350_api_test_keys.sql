-- Test keys answer from the sandbox. A key never changes its kind.
alter table api_keys add column mode text not null default 'live' check (mode in ('live', 'test'));

-- Calls that nodes have taken of the hour of a user's test keys, as api_leases has them for live keys.
create table api_test_leases (
  user_id uuid not null references users (id) on delete cascade,
  window_start timestamptz not null,
  node uuid not null,
  granted integer not null check (granted >= 0),
  used integer not null check (used between 0 and granted),
  primary key (user_id, window_start, node)
);
create index api_test_leases_window on api_test_leases (window_start);

alter table api_test_leases enable row level security;
alter table api_test_leases force row level security;
create policy system_rows on api_test_leases to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert, delete on api_test_leases to app_system;
grant update (granted, used) on api_test_leases to app_system;
