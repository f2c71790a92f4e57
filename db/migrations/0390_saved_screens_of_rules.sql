-- The rules of the run that the saved screen shows, when it was made with a strategy instead of parameters.
alter table backtest_states add column strategy jsonb
  check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 8192));
