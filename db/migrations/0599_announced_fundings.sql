-- expand
-- The funding rate that an exchange announced before a settlement, to measure how far it was from the rate that was paid. No row belongs
-- to a user.
create table arbitrage_announced (
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 60),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  settles_at timestamptz not null,
  -- Fraction of the notional that longs pay, as last seen half an hour or more before.
  rate double precision not null check (rate between -1 and 1),
  seen_at timestamptz not null,
  primary key (market, symbol, exchange, settles_at),
  check (seen_at < settles_at)
);
create index arbitrage_announced_settles on arbitrage_announced (settles_at);

alter table arbitrage_announced enable row level security;
alter table arbitrage_announced force row level security;
create policy system_rows on arbitrage_announced to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on arbitrage_announced to app_system;
grant update (rate, seen_at) on arbitrage_announced to app_system;
