-- The chance as a signal stated it, so that it can be judged by the signal's own outcome; null for signals older than this, without one, and
-- of saved strategies, whose chances are their owner's.
alter table signals
  add column chance double precision check (chance between 0 and 1),
  add column chance_n integer check (chance_n > 0),
  add column chance_origin text check (chance_origin in ('live', 'replayed', 'mixed')),
  add constraint signals_chance check ((chance is null) = (chance_origin is null) and (chance is null) = (chance_n is null));
