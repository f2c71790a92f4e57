-- Long searches: one row each, and what its chunks need and leave behind while it is under way.

create table backtest_searches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  -- Where the candles came from, with the request as it was sent, without its candles.
  request jsonb not null check (jsonb_typeof(request) = 'object' and pg_column_size(request) <= 262144),
  sample_count int not null check (sample_count between 10 and 100000),
  done_count int not null default 0 check (done_count between 0 and sample_count),
  -- The job that joins the chunks. Chosen beforehand, so that it is one job however often the last chunk ends.
  join_job_id uuid not null default gen_random_uuid(),
  result jsonb check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 8388608),
  failure text check (length(failure) between 1 and 500),
  -- The last sign of life.
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'done') = (result is not null))
);
create index backtest_searches_user_created on backtest_searches (user_id, created_at desc);
create index backtest_searches_open on backtest_searches (updated_at) where status in ('queued', 'running');

-- The candles and rules, as the engine takes them: every chunk reads the same bits, on whichever node. Gone when the search ends.
create table backtest_search_inputs (
  search_id uuid primary key references backtest_searches (id) on delete cascade,
  input bytea not null check (octet_length(input) <= 16777216)
);

-- What a chunk found. A chunk that is run twice gives the same bits, so the first one stays.
create table backtest_search_chunks (
  search_id uuid not null references backtest_searches (id) on delete cascade,
  first_index int not null check (first_index >= 0),
  sample_count int not null check (sample_count > 0),
  leaders jsonb not null check (jsonb_typeof(leaders) = 'array' and pg_column_size(leaders) <= 65536),
  -- Three columns of f64, one after the other: net PnL, trades, value of the target.
  figures bytea not null check (octet_length(figures) = sample_count * 24),
  primary key (search_id, first_index)
);

alter table backtest_searches enable row level security;
alter table backtest_searches force row level security;
alter table backtest_search_inputs enable row level security;
alter table backtest_search_inputs force row level security;
alter table backtest_search_chunks enable row level security;
alter table backtest_search_chunks force row level security;

create policy own_rows on backtest_searches for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on backtest_searches to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on backtest_search_inputs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on backtest_search_chunks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on backtest_searches to app_user;
grant select, insert, delete on backtest_searches, backtest_search_inputs, backtest_search_chunks to app_system;
grant update (status, done_count, result, failure, updated_at, finished_at) on backtest_searches to app_system;
