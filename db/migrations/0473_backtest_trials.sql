-- Sets and searches a user tried on the server, and on which candles: choosing the best of many calls is a search, too.
create table backtest_trials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  tried_at timestamptz not null default clock_timestamp(),
  -- SHA-256 of what was tried: the parameters or rules of a run, the input of a search.
  tried text not null check (tried ~ '^[0-9a-f]{64}$'),
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  -- Exchange, symbol and interval; null for candles the user sent.
  series text check (length(series) between 1 and 120),
  from_ms bigint not null,
  to_ms bigint not null,
  trials bigint not null check (trials >= 0),
  looks bigint not null check (looks >= 0),
  is_search boolean not null,
  kind text not null check (kind in ('classic', 'rules')),
  unique (user_id, tried, data_hash)
);
create index backtest_trials_user on backtest_trials (user_id, tried_at desc);

alter table backtest_trials enable row level security;
alter table backtest_trials force row level security;
create policy own_rows on backtest_trials to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on backtest_trials to app_user;

-- Counted by key, series and call; the account, the window and the set decide now.
drop table api_key_trials;
