-- What each vote said of a signal, so that other weights can be held against what became of it; and marks by which a reader that has
-- seen the record once reads only what is new.

-- [[interval, weight, {vote: opinion}], ...], opinions of 0 left out; null for signals older than this.
alter table signals add column opinions jsonb
  check (jsonb_typeof(opinions) = 'array' and pg_column_size(opinions) <= 4096);

-- The transaction that wrote the row. Neither a clock nor a counter: both are taken before the commit, so a row could appear behind a
-- reader that is past it. What a snapshot may not have seen yet is exactly what is at or above its xmin.
alter table signals add column recorded_xid xid8 not null default pg_current_xact_id();
alter table signal_outcomes add column recorded_xid xid8 not null default pg_current_xact_id();
create index signals_recorded on signals (recorded_xid);
create index signal_outcomes_recorded on signal_outcomes (recorded_xid);
