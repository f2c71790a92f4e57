-- expand
-- Whether a series was replayed up to the end of its contract. False of earlier rows: ended ones are replayed once more.
alter table replayed_series add column has_ended boolean not null default false;
