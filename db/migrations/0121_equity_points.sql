-- What an account was worth at a moment, marked to market by the leader while positions are open. Measured then, never reckoned later.
create table equity_points (
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  -- Simulated capital and realised net PnL.
  balance numeric(24, 8) not null,
  realised numeric(24, 8) not null,
  -- Null when the price of an open position was missing.
  unrealised numeric(24, 8),
  exposure numeric(24, 8),
  missing integer not null check (missing >= 0),
  primary key (user_id, created_at),
  check ((unrealised is null) = (missing > 0)),
  check ((exposure is null) = (missing > 0))
);

alter table equity_points enable row level security;
alter table equity_points force row level security;
create policy own_rows on equity_points for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on equity_points to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on equity_points to app_user;
grant select, insert on equity_points to app_system;
