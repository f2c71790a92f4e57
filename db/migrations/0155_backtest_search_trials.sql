-- What a long search found of every set, so that it is opened with its map and its table and nothing is searched again.

-- A chunk under way holds fewer columns than those of now. An update of the service ends the search, and says so.
update backtest_searches
  set status = 'failed', failure = 'The service was updated while this search ran. Start it again.', finished_at = now()
  where status in ('queued', 'running');
delete from backtest_search_inputs;
delete from backtest_search_chunks;

alter table backtest_search_chunks drop constraint backtest_search_chunks_check;
-- Ten columns of f64, one after the other: workers/src/protocol/wire/trialColumns.ts.
alter table backtest_search_chunks add check (octet_length(figures) = sample_count * 80);

alter table backtest_searches
  -- When the first chunk was taken: sets per second count from here.
  add column started_at timestamptz,
  -- The same columns of every sample and then of every refined set, gzip. Null before the end, and of searches from before.
  add column trials bytea check (octet_length(trials) <= 33554432);
alter table backtest_searches alter column trials set storage external;
grant update (started_at, trials) on backtest_searches to app_system;
