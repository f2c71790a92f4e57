-- A finished run: what went in, what came out, and the hashes that let anybody repeat it.
create table backtests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  params jsonb not null check (jsonb_typeof(params) = 'object'),
  result jsonb not null check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 8388608),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  params_hash text not null check (params_hash ~ '^[0-9a-f]{64}$'),
  result_hash text not null check (result_hash ~ '^[0-9a-f]{64}$')
);
create index backtests_user_created on backtests (user_id, created_at desc);

-- The form as the person left it, one per person.
create table backtest_states (
  user_id uuid primary key references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 65536),
  optimize jsonb check (jsonb_typeof(optimize) = 'object' and pg_column_size(optimize) <= 65536),
  metrics jsonb check (jsonb_typeof(metrics) = 'object' and pg_column_size(metrics) <= 1048576),
  updated_at timestamptz not null default now()
);

alter table backtests enable row level security;
alter table backtests force row level security;
alter table backtest_states enable row level security;
alter table backtest_states force row level security;

create policy own_rows on backtests to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on backtest_states to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));

grant select, insert, delete on backtests to app_user;
grant select, insert, update, delete on backtest_states to app_user;
