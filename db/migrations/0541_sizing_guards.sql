-- Guards of automatic opening that size down: loss at all stops together, and net exposure, percent of the equity; null is off. Accounts
-- that exist stay without them, new ones have them.
alter table preferences
  add column guard_stops_pct double precision check (guard_stops_pct between 0.5 and 100),
  add column guard_exposure_pct double precision check (guard_exposure_pct between 10 and 1000);
alter table preferences
  alter column guard_stops_pct set default 5,
  alter column guard_exposure_pct set default 200;
