-- Runs and searches of the lab.

-- A finished run: input, result, and the hashes by which it can be repeated.
create table backtests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  params jsonb not null check (jsonb_typeof(params) = 'object'),
  name text check (length(name) between 1 and 60),
  -- Exchange and window of the candles, and the costs. Null for the oldest runs.
  setup jsonb check (jsonb_typeof(setup) = 'object' and pg_column_size(setup) <= 1048576),
  -- The rules of a run that was made with a strategy instead of parameters; such a row's params say nothing.
  strategy jsonb check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768)),
  -- All that research may read of a run besides its market. Parameters and results stay their owner's.
  is_profitable boolean generated always as ((result -> 'best' ->> 'netPnl')::double precision > 0) stored,
  result jsonb not null check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 8388608),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  params_hash text not null check (params_hash ~ '^[0-9a-f]{64}$'),
  result_hash text not null check (result_hash ~ '^[0-9a-f]{64}$')
);
create index backtests_user_created on backtests (user_id, created_at desc);
alter table backtests enable row level security, force row level security;
create policy own_rows on backtests to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
-- For research, within the columns of the grant.
create policy system_rows on backtests for select to app_system using (current_user = 'app_system');
-- A user may rename an own saved run; nothing else of a run ever changes.
grant select, insert, delete, update (name) on backtests to app_user;
grant select (user_id, symbol, interval, is_profitable) on backtests to app_system;

-- The last state of the form, one per user.
create table backtest_states (
  user_id uuid primary key references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  params jsonb not null check (jsonb_typeof(params) = 'object' and pg_column_size(params) <= 65536),
  optimize jsonb check (jsonb_typeof(optimize) = 'object' and pg_column_size(optimize) <= 65536),
  metrics jsonb check (jsonb_typeof(metrics) = 'object' and pg_column_size(metrics) <= 1048576),
  -- The rules of the run that the saved screen shows, when it was made with a strategy instead of parameters.
  strategy jsonb check (strategy is null or (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768)),
  updated_at timestamptz not null default now()
);
alter table backtest_states enable row level security, force row level security;
create policy own_rows on backtest_states to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete, update on backtest_states to app_user;

-- Sets and searches a user tried on the server, and on which candles: to choose the best of many calls is a search, too.
create table backtest_trials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  tried_at timestamptz not null default clock_timestamp(),
  -- SHA-256 of the parameters or rules of a run, or of the input of a search.
  tried text not null check (tried ~ '^[0-9a-f]{64}$'),
  data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
  -- Exchange, symbol and interval; null for candles the user sent.
  series text check (length(series) between 1 and 120),
  from_ms bigint not null,
  to_ms bigint not null,
  trials bigint not null check (trials >= 0),
  looks bigint not null check (looks >= 0),
  is_search boolean not null,
  kind text not null check (kind in ('classic', 'rules')),
  -- A sample of the scored closes (workers/src/candles/sameData.ts), so that candles the user sent are recognised when rows are left out.
  -- Null in older rows: their candles count as the same by hash and series only.
  closes text check (length(closes) <= 2000),
  unique (user_id, tried, data_hash)
);
create index backtest_trials_user on backtest_trials (user_id, tried_at desc);
comment on column backtest_trials.series is
  'Exchange, symbol and interval; of sent candles those they were named after; null without a name.';
alter table backtest_trials enable row level security, force row level security;
create policy own_rows on backtest_trials to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on backtest_trials to app_user;

-- Long searches: one row each, with input and results of the chunks while it runs.
create table backtest_searches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  -- Source of the candles, and the request as it was sent, without its candles.
  request jsonb not null check (jsonb_typeof(request) = 'object' and pg_column_size(request) <= 262144),
  sample_count int not null check (sample_count between 10 and 100000),
  done_count int not null default 0 check (done_count between 0 and sample_count),
  -- The job that joins the chunks. Chosen in advance, so that it is one job however often the last chunk ends.
  join_job_id uuid not null default gen_random_uuid(),
  result jsonb check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 8388608),
  failure text check (length(failure) between 1 and 500),
  -- Last progress.
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- When the first chunk was taken: sets per second count from here.
  started_at timestamptz,
  -- Ten columns of f64 (workers/src/protocol/wire/trialColumns.ts) of every sample and then of every refined set, gzip. Null before the
  -- end.
  trials bytea check (octet_length(trials) <= 33554432),
  -- Increases with each phase of the search. A job is of one step: what is left of an earlier one changes nothing.
  step int not null default 0 check (step >= 0),
  -- looking: the samples run without minutes, to find the candles in which the order of exits is unclear. loading: their minutes are being
  -- loaded. searching: the samples run with the minutes that were loaded.
  stage text not null default 'searching' check (stage in ('looking', 'loading', 'searching')),
  -- Candles whose minutes the samples have, or that are being loaded. Null in a search without minutes.
  minute_candles int check (minute_candles >= 0),
  check ((status = 'done') = (result is not null))
);
create index backtest_searches_user_created on backtest_searches (user_id, created_at desc);
create index backtest_searches_open on backtest_searches (updated_at) where status in ('queued', 'running');
-- Already compressed.
alter table backtest_searches alter column trials set storage external;
alter table backtest_searches enable row level security, force row level security;
create policy own_rows on backtest_searches for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on backtest_searches to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on backtest_searches to app_user;
grant select, insert, delete, update (status, done_count, join_job_id, result, failure, updated_at, finished_at, started_at, trials,
  step, stage, minute_candles) on backtest_searches to app_system;

-- The candles and rules, as the engine takes them: every chunk reads the same bits, on any node. Deleted when the search ends.
create table backtest_search_inputs (
  search_id uuid primary key references backtest_searches (id) on delete cascade,
  input bytea not null check (octet_length(input) <= 16777216),
  -- Minutes that were loaded, with the requested ones that are absent: every chunk of a step reads the same ones. Null in a search without
  -- minutes.
  minutes bytea check (octet_length(minutes) <= 4194304)
);
alter table backtest_search_inputs enable row level security, force row level security;
create policy system_rows on backtest_search_inputs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (minutes) on backtest_search_inputs to app_system;

-- Results of a chunk. A chunk that runs twice gives the same bits, so the first ones stay.
create table backtest_search_chunks (
  search_id uuid not null references backtest_searches (id) on delete cascade,
  first_index int not null check (first_index >= 0),
  sample_count int not null check (sample_count > 0),
  leaders jsonb not null check (jsonb_typeof(leaders) = 'array' and pg_column_size(leaders) <= 65536),
  -- Ten columns of f64, one after the other: workers/src/protocol/wire/trialColumns.ts.
  figures bytea not null,
  -- Candles that some set of the chunk left open. A chunk runs again only when minutes of one of them were loaded.
  unknown_bars int[] not null default '{}',
  primary key (search_id, first_index),
  constraint backtest_search_chunks_check check (octet_length(figures) = sample_count * 80)
);
alter table backtest_search_chunks enable row level security, force row level security;
create policy system_rows on backtest_search_chunks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on backtest_search_chunks to app_system;
