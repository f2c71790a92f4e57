-- expand
-- Whether a simulated source sends the feed: its dates are of our clock. Set at each start from the configuration.
alter table news_feeds add column is_simulated boolean not null default false;
