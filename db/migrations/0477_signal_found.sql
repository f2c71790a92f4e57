-- `signal.created` is a signal that may be opened; `signal.found` is every one with a direction, for those who choose it.
alter table webhooks
  drop constraint webhooks_events_check,
  add constraint webhooks_events_check check (cardinality(events) between 1 and 7 and events <@ array['signal.created', 'signal.found',
    'position.opened', 'position.closed', 'payment.completed', 'credits.low', 'plan.expiring']);
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('scan_finished', 'credits_low', 'position_opened', 'position_closed',
    'arbitrage_spread', 'signal_created', 'signal_found', 'payment_completed', 'plan_expiring', 'test'));
