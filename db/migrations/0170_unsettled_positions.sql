-- expand
-- Closed positions whose settlements are not all known yet. Charged up to its close, a position leaves the index.
-- What closed more than seven days ago was never asked for again: it counts as charged.
update positions set funded_until = closed_at
where closed_at < now() - interval '7 days' and funded_until < closed_at;
create index positions_unsettled on positions (market, exchange, symbol) where closed_at > funded_until;
drop index positions_unfunded;
