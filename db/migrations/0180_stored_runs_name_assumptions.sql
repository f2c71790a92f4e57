-- Kept runs and searches of before now name what they took for granted: settled funding, and the stop first.
update backtests
  set setup = jsonb_set(
    setup, '{costs}',
    '{"fundingSource": "history", "assumedFundingFraction": 0.0001, "sameBar": "stop"}'::jsonb || (setup -> 'costs')
  )
  where setup ? 'costs';

update backtest_searches
  set request = jsonb_set(
    request, '{setup,costs}',
    '{"fundingSource": "history", "assumedFundingFraction": 0.0001, "sameBar": "stop"}'::jsonb
      || (request #> '{setup,costs}')
  )
  where request #> '{setup,costs}' is not null;

-- With the stop first the pessimistic bound is the net PnL itself.
update backtest_searches
  set result = jsonb_set(
    jsonb_set(result, '{best,pessimisticNetPnl}', result #> '{best,netPnl}'),
    '{best,train,pessimisticNetPnl}', result #> '{best,train,netPnl}'
  )
  where result #> '{best,train,netPnl}' is not null and result #> '{best,netPnl}' is not null;
