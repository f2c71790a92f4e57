-- A kept run can be opened, compared and shared: it needs what it ran on, a name, and its equity for a picture.
alter table backtests
  add column name text check (length(name) between 1 and 60),
  -- Where the candles came from, which of them, and the costs. Null for runs from before this migration.
  add column setup jsonb check (jsonb_typeof(setup) = 'object' and pg_column_size(setup) <= 1048576);
