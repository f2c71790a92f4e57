-- A position whose contract the exchange ends is settled at the last price that was seen of it.
alter table positions drop constraint positions_close_reason_check;
alter table positions add constraint positions_close_reason_check
  check (close_reason in ('LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL', 'DELISTED'));

-- The last mark price of each series that positions are open in; the last trade where the exchange sends no mark. Read when the contract
-- ended while no server was running.
create table position_marks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  symbol text not null check (length(symbol) between 1 and 40),
  price numeric not null check (price > 0),
  -- The exchange's own stamp of the price.
  at timestamptz not null,
  primary key (market, exchange, symbol)
);
alter table position_marks enable row level security;
alter table position_marks force row level security;
create policy system_rows on position_marks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on position_marks to app_system;
grant update (price, at) on position_marks to app_system;
