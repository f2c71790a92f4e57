-- A signal whose contract the exchange ends is settled at the last price that was seen of it.
alter table signal_outcomes drop constraint signal_outcomes_outcome_check;
alter table signal_outcomes add constraint signal_outcomes_outcome_check
  check (outcome in ('TP', 'SL', 'TIME', 'DELISTED'));
alter table strategy_outcomes drop constraint strategy_outcomes_outcome_check;
alter table strategy_outcomes add constraint strategy_outcomes_outcome_check
  check (outcome in ('TP', 'SL', 'TIME', 'SIGNAL', 'DELISTED'));

-- The close of the last candle that signals of a series were judged on: no exchange gives it once the contract has ended.
create table signal_marks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  symbol text not null check (length(symbol) between 1 and 40),
  price double precision not null check (price > 0),
  -- When that candle closed.
  at timestamptz not null,
  primary key (market, exchange, symbol)
);
alter table signal_marks enable row level security;
alter table signal_marks force row level security;
create policy system_rows on signal_marks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on signal_marks to app_system;
grant update (price, at) on signal_marks to app_system;
