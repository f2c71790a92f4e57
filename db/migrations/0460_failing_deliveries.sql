-- Messages that failed and are repeated: while one of a target waits, the target's others wait for it.
create index notification_deliveries_repeated on notification_deliveries (user_id) where state = 'waiting' and attempt_count > 0;
