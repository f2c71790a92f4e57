-- Arbitrage: paid scans and watched pairs of a user, and measurements of spreads for all users.
create table arbitrage_scans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- empty: there are no results, and nothing was charged.
  status text not null default 'running' check (status in ('running', 'done', 'empty', 'failed')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 65536),
  -- Stored for the newest scan with results only.
  results jsonb check (jsonb_typeof(results) = 'object' and pg_column_size(results) <= 1048576),
  progress_done integer not null default 0 check (progress_done >= 0),
  progress_total integer not null default 1 check (progress_total >= 1),
  -- The hold that pays for it. No foreign key: entries of the ledger and scans go with their account, in no particular order.
  credit_ref uuid not null,
  failure text check (length(failure) between 1 and 500),
  finished_at timestamptz,
  check (results is null or status in ('done', 'empty')),
  check ((status = 'failed') = (failure is not null))
);
create index arbitrage_scans_user_created on arbitrage_scans (user_id, created_at desc);
create unique index arbitrage_scans_credit_ref on arbitrage_scans (credit_ref);
alter table arbitrage_scans enable row level security, force row level security;
create policy own_rows on arbitrage_scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on arbitrage_scans to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on arbitrage_scans to app_user;
grant select, insert, update (status, results, progress_done, progress_total, failure, finished_at) on arbitrage_scans to app_system;

create table arbitrage_watches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  buy exchange_id not null,
  sell exchange_id not null,
  net_pct double precision not null check (net_pct between -1 and 50),
  hold_hours double precision not null check (hold_hours between 0 and 720),
  buy_fee double precision not null check (buy_fee between 0 and 0.01),
  sell_fee double precision not null check (sell_fee between 0 and 0.01),
  is_above boolean not null default false,
  crossings integer not null default 0 check (crossings >= 0),
  last_crossed_at timestamptz,
  check (buy <> sell)
);
create index arbitrage_watches_user_created on arbitrage_watches (user_id, created_at desc);
create index arbitrage_watches_market on arbitrage_watches (market);
alter table arbitrage_watches enable row level security, force row level security;
create policy own_rows on arbitrage_watches to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on arbitrage_watches to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, delete, insert (id, user_id, market, symbol, buy, sell, net_pct, hold_hours, buy_fee, sell_fee) on arbitrage_watches to
  app_user;
grant select, update (is_above, crossings, last_crossed_at) on arbitrage_watches to app_system;

-- A spread that rose above the threshold, from then until it fell below. It belongs to no user.
create table arbitrage_episodes (
  id bigint generated always as identity primary key,
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  buy exchange_id not null,
  sell exchange_id not null,
  started_at timestamptz not null,
  -- Seconds above the threshold; null when the end was not seen.
  lifetime_s real check (lifetime_s > 0),
  -- How long it was seen above the threshold: the lifetime where its end was seen, else a lower bound. So episodes that were cut short count
  -- in the statistics of lifetimes.
  followed_s real not null check (followed_s >= 0),
  -- Net spread at the start and the highest one, percent.
  net_pct real not null,
  peak_pct real not null,
  -- Net spread 1, 5 and 30 s after the start, percent; null when there was no quote.
  left_1s real,
  left_5s real,
  left_30s real
);
create index arbitrage_episodes_started on arbitrage_episodes (market, started_at);
alter table arbitrage_episodes enable row level security, force row level security;
create policy system_rows on arbitrage_episodes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on arbitrage_episodes to app_system;

-- Mean gross spreads of five minutes in ten-thousandths of a percent: a value for each minute of each of the six directions.
create table arbitrage_spreads (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  at timestamptz not null,
  minutes smallint[] not null check (cardinality(minutes) = 30),
  primary key (market, symbol, at)
);
create index arbitrage_spreads_at on arbitrage_spreads (at);
alter table arbitrage_spreads enable row level security, force row level security;
create policy system_rows on arbitrage_spreads to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on arbitrage_spreads to app_system;

-- Sampled time of a day, and the number of episodes that did not fit.
create table arbitrage_days (
  market text not null check (market in ('simulated', 'replay', 'live')),
  -- Its start, UTC.
  day timestamptz not null,
  sampled_s integer not null default 0 check (sampled_s >= 0),
  episodes integer not null default 0 check (episodes >= 0),
  not_stored integer not null default 0 check (not_stored >= 0),
  primary key (market, day)
);
alter table arbitrage_days enable row level security, force row level security;
create policy system_rows on arbitrage_days to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
-- Days go with their episodes.
grant select, insert, delete, update (sampled_s, episodes, not_stored) on arbitrage_days to app_system;

-- The last settled fundings of a contract.
create table arbitrage_fundings (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  exchange exchange_id not null,
  times timestamptz[] not null check (cardinality(times) <= 40),
  rates double precision[] not null check (cardinality(rates) = cardinality(times)),
  read_at timestamptz not null default now(),
  primary key (market, symbol, exchange)
);
alter table arbitrage_fundings enable row level security, force row level security;
create policy system_rows on arbitrage_fundings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (times, rates, read_at) on arbitrage_fundings to app_system;

-- The funding rate that an exchange announced before a settlement, to measure how far it was from the rate that was paid. No row belongs
-- to a user.
create table arbitrage_announced (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  exchange exchange_id not null,
  settles_at timestamptz not null,
  -- Fraction of the notional that longs pay, as last seen half an hour or more before.
  rate double precision not null check (rate between -1 and 1),
  seen_at timestamptz not null,
  primary key (market, symbol, exchange, settles_at),
  check (seen_at < settles_at)
);
create index arbitrage_announced_settles on arbitrage_announced (settles_at);
alter table arbitrage_announced enable row level security, force row level security;
create policy system_rows on arbitrage_announced to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (rate, seen_at) on arbitrage_announced to app_system;

-- Chart analyses, and outcomes of the positions they opened. An analysis is deleted with the close of its symbol and direction; its
-- outcome stays, because pattern performance is computed from outcomes.
create table vision_analyses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- done: the credit was spent. refunded: there is a result, and the credit was returned. failed: there is no result.
  status text not null default 'running' check (status in ('running', 'done', 'refunded', 'failed')),
  -- Known with the result; null before, and where no symbol was read.
  symbol text check (length(symbol) between 1 and 60),
  direction text check (direction in ('LONG', 'SHORT', 'NEUTRAL')),
  result jsonb check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 262144),
  -- The re-encoded picture (WebP) of the newest analysis. In the row, so that it goes with it.
  picture bytea check (octet_length(picture) <= 4194304),
  -- The hold that pays for it. No foreign key: entries of the ledger and analyses go with their account, in no particular order.
  credit_ref uuid not null,
  failure text check (length(failure) between 1 and 500),
  finished_at timestamptz,
  check ((status in ('done', 'refunded')) = (result is not null)),
  check ((status = 'failed') = (failure is not null))
);
create index vision_analyses_user_created on vision_analyses (user_id, created_at desc);
create index vision_analyses_user_symbol on vision_analyses (user_id, symbol, direction);
create unique index vision_analyses_credit_ref on vision_analyses (credit_ref);
-- One in flight per user, on all nodes.
create unique index vision_analyses_running on vision_analyses (user_id) where status = 'running';
alter table vision_analyses enable row level security, force row level security;
create policy own_rows on vision_analyses for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on vision_analyses to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on vision_analyses to app_user;
grant select, insert, delete, update (status, symbol, direction, result, picture, failure, finished_at) on vision_analyses to
  app_system;

-- One row for each closed position of an analysis.
create table vision_outcomes (
  position_id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  closed_at timestamptz not null default now(),
  symbol text not null check (length(symbol) between 1 and 60),
  direction text not null check (direction in ('LONG', 'SHORT')),
  sentiment text not null check (sentiment in ('bullish', 'bearish')),
  -- Ids of the patterns that the analysis named.
  patterns text[] not null check (cardinality(patterns) <= 100),
  net_pnl double precision not null,
  roi_pct double precision not null
);
create index vision_outcomes_user on vision_outcomes (user_id, closed_at desc);
alter table vision_outcomes enable row level security, force row level security;
create policy own_rows on vision_outcomes for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on vision_outcomes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on vision_outcomes to app_user;
grant select, insert on vision_outcomes to app_system;

-- Directions that the rules and an AI model named for charts that end now, and the price ten candles later. They outlive their analyses:
-- the share of right ones, and the moves after each pattern, are counted from them over the whole installation.
create table vision_views (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Analyses go with the close of their symbol and direction, so there is no foreign key.
  analysis_id uuid not null,
  market text not null check (market in ('simulated', 'replay', 'live')),
  viewed_by text not null check (viewed_by in ('rules', 'model')),
  model text check (length(model) between 1 and 100),
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  direction text not null check (direction in ('LONG', 'SHORT')),
  sentiment text check (sentiment in ('bullish', 'bearish')),
  -- Patterns of the newest candles: id and direction, such as hammer:bullish.
  patterns text[] not null check (cardinality(patterns) <= 100),
  -- Open time and close of the newest candle that was seen.
  candle_at timestamptz not null,
  close_price double precision not null check (close_price > 0),
  -- The candle that judges the view has closed.
  due_at timestamptz not null check (due_at > candle_at),
  graded_at timestamptz,
  later_price double precision check (later_price > 0),
  check ((graded_at is null) = (later_price is null)),
  check ((viewed_by = 'model') = (model is not null)),
  unique (user_id, analysis_id, viewed_by)
);
create index vision_views_user on vision_views (user_id, created_at desc);
create index vision_views_due on vision_views (market, due_at) where graded_at is null;
create index vision_views_graded on vision_views (market, interval) where graded_at is not null;
alter table vision_views enable row level security, force row level security;
create policy own_rows on vision_views for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on vision_views to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on vision_views to app_user;
grant select, insert, update (graded_at, later_price) on vision_views to app_system;

-- Credits of a user that were returned on one day (UTC) because the AI model gave nothing usable: an uploader can provoke that, so it is
-- limited. One row for each user, that of the newest day. Counted here, because analyses are deleted with the close of their symbol.
create table vision_model_refunds (
  user_id uuid primary key references users (id) on delete cascade,
  -- Its first moment.
  day timestamptz not null,
  count integer not null check (count between 1 and 1000)
);
alter table vision_model_refunds enable row level security, force row level security;
create policy system_rows on vision_model_refunds to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on vision_model_refunds to app_system;
