-- expand
-- Since when no push has arrived at a browser: while it fails, one message tries and the later ones wait.
alter table push_subscriptions add column failing_since timestamptz;
grant update (failing_since) on push_subscriptions to app_system;
-- An account has a limited number of waiting messages of alerts, and of those that were left out.
create index notification_deliveries_waiting on notification_deliveries (user_id) where state = 'waiting';
create index notification_deliveries_unsent on notification_deliveries (user_id) where state = 'failed' and attempt_count = 0;
grant delete on notification_deliveries to app_system;
-- A new request waits since its start: it comes after those that have waited longer.
drop index strategy_replays_turn;
create index strategy_replays_turn on strategy_replays ((coalesce(turn_at, requested_at))) where state in ('queued', 'running');
