-- expand
-- Closed positions whose settlements are not all known yet. Charged up to its close, a position leaves the index.
-- What closed more than seven days ago was not requested again: it counts as charged. Positions stay due for 30 days, so older ones need
-- no change. The owner sees no rows under forced row-level security, unless it is a superuser.
alter table positions no force row level security;
update positions set funded_until = closed_at
where closed_at > now() - interval '31 days' and closed_at < now() - interval '7 days' and funded_until < closed_at;
alter table positions force row level security;
create index positions_unsettled on positions (market, exchange, symbol) where closed_at > funded_until;
drop index positions_unfunded;
