-- A sample of the scored closes (workers/src/candles/sameData.ts), so that candles the user sent are recognised when rows are left out.
-- Null in older rows: their candles count as the same by hash and series only.
alter table backtest_trials add column closes text check (length(closes) <= 2000);
comment on column backtest_trials.series is
  'Exchange, symbol and interval; of sent candles those they were named after; null without a name.';
