-- Arbitrage: paid scans and watched pairs of a user, and what the service measures of spreads for everyone.

create table arbitrage_scans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- empty: nothing was found, and nothing was charged.
  status text not null default 'running' check (status in ('running', 'done', 'empty', 'failed')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 65536),
  -- Kept of the newest scan with results only.
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

create table arbitrage_watches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  buy text not null check (buy in ('binance', 'bybit', 'okx')),
  sell text not null check (sell in ('binance', 'bybit', 'okx')),
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

-- A spread that rose above the threshold, from then until it fell below. It names nobody.
create table arbitrage_episodes (
  id bigint generated always as identity primary key,
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  buy text not null check (buy in ('binance', 'bybit', 'okx')),
  sell text not null check (sell in ('binance', 'bybit', 'okx')),
  started_at timestamptz not null,
  -- Seconds above the threshold; null when the end was not seen.
  lifetime_s real check (lifetime_s > 0),
  -- Net spread at the start and the highest one, percent.
  net_pct real not null,
  peak_pct real not null,
  -- Net spread 1, 5 and 30 s after the start, percent; null when there was no quote.
  left_1s real,
  left_5s real,
  left_30s real
);
create index arbitrage_episodes_started on arbitrage_episodes (market, started_at);

-- Mean gross spreads of five minutes in ten-thousandths of a percent: a value for each minute of each of the six directions.
create table arbitrage_spreads (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  at timestamptz not null,
  minutes smallint[] not null check (cardinality(minutes) = 30),
  primary key (market, symbol, at)
);
create index arbitrage_spreads_at on arbitrage_spreads (at);

-- How long a day was sampled, and what did not fit.
create table arbitrage_days (
  market text not null check (market in ('simulated', 'replay', 'live')),
  -- Its beginning, UTC.
  day timestamptz not null,
  sampled_s integer not null default 0 check (sampled_s >= 0),
  episodes integer not null default 0 check (episodes >= 0),
  not_stored integer not null default 0 check (not_stored >= 0),
  primary key (market, day)
);

-- The last settled fundings of a contract.
create table arbitrage_fundings (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  times timestamptz[] not null check (cardinality(times) <= 40),
  rates double precision[] not null check (cardinality(rates) = cardinality(times)),
  read_at timestamptz not null default now(),
  primary key (market, symbol, exchange)
);

do $$
declare name text;
begin
  foreach name in array array['arbitrage_scans', 'arbitrage_watches', 'arbitrage_episodes', 'arbitrage_spreads', 'arbitrage_days', 'arbitrage_fundings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy system_rows on %I to app_system
      using (current_user = 'app_system') with check (current_user = 'app_system')$policy$, name);
  end loop;
end $$;

create policy own_rows on arbitrage_scans for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on arbitrage_watches to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));

grant select on arbitrage_scans to app_user;
grant select, insert on arbitrage_scans to app_system;
grant update (status, results, progress_done, progress_total, failure, finished_at) on arbitrage_scans to app_system;
grant select, delete on arbitrage_watches to app_user;
grant insert (id, user_id, market, symbol, buy, sell, net_pct, hold_hours, buy_fee, sell_fee) on arbitrage_watches to app_user;
grant select on arbitrage_watches to app_system;
grant update (is_above, crossings, last_crossed_at) on arbitrage_watches to app_system;
grant select, insert, delete on arbitrage_episodes, arbitrage_spreads to app_system;
grant select, insert on arbitrage_days, arbitrage_fundings to app_system;
grant update (sampled_s, episodes, not_stored) on arbitrage_days to app_system;
grant update (times, rates, read_at) on arbitrage_fundings to app_system;

-- Watched pairs are told of through the notifications.
alter table notification_targets drop constraint notification_targets_kinds_check;
update notification_targets set kinds = kinds || array['arbitrage_spread'];
alter table notification_targets
  alter column kinds set default '{scan_finished,credits_low,position_opened,position_closed,arbitrage_spread}',
  add constraint notification_targets_kinds_check
    check (kinds <@ array['scan_finished', 'credits_low', 'position_opened', 'position_closed', 'arbitrage_spread']);
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('scan_finished', 'credits_low', 'position_opened', 'position_closed', 'arbitrage_spread', 'test'));
