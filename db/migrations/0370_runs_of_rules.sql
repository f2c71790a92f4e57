-- The rules of a run that was made with a strategy instead of parameters; such a row's params say nothing.
alter table backtests add column strategy jsonb
  check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 8192));
