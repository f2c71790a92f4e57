-- How long an episode was seen above the threshold: the lifetime where its end was seen, a lower bound of it where it was not. With it the
-- episodes that were cut short count in the statistics of lifetimes.
alter table arbitrage_episodes add column followed_s real not null default 0 check (followed_s >= 0);
alter table arbitrage_episodes alter column followed_s drop default;

-- Days go with their episodes.
grant delete on arbitrage_days to app_system;
