-- expand
-- When an account may start its next replay of a saved strategy. The pause stays when the strategy is deleted.
create table replay_pauses (
  user_id uuid not null references users (id) on delete cascade,
  market text not null check (market in ('simulated', 'replay', 'live')),
  -- Of the latest start.
  started_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (user_id, market),
  check (ends_at >= started_at)
);
alter table replay_pauses enable row level security, force row level security;
create policy own_rows on replay_pauses to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on replay_pauses to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on replay_pauses to app_user;
grant select, update on replay_pauses to app_system;
