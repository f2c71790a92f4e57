-- Searches on the server have minute candles: their samples say which, these are loaded, and the search goes on with them.

alter table backtest_searches
  -- Goes up whenever the search goes on to something else. A job is of one step: what is left of an earlier one changes nothing.
  add column step int not null default 0 check (step >= 0),
  -- looking: the samples run without minutes, to say in which candles the order of exits is in question. loading: their minutes are on
  -- their way. searching: the samples run with what has come.
  add column stage text not null default 'searching' check (stage in ('looking', 'loading', 'searching')),
  -- Candles whose minutes the samples have, or that are on their way. Null in a search without minutes.
  add column minute_candles int check (minute_candles >= 0);

-- Minutes as they came, with what was asked for and is absent: every chunk of a step reads the same ones. Null in a search without minutes.
alter table backtest_search_inputs add column minutes bytea check (octet_length(minutes) <= 4194304);

-- Candles that some set of the chunk left open. A chunk runs again only when minutes of one of them have come.
alter table backtest_search_chunks add column unknown_bars int[] not null default '{}';

grant update (step, stage, minute_candles, join_job_id) on backtest_searches to app_system;
grant update (minutes) on backtest_search_inputs to app_system;
