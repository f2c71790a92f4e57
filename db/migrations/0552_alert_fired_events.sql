-- A firing of an alert is an event of webhooks too.
alter table webhooks
  drop constraint webhooks_events_check,
  add constraint webhooks_events_check check (cardinality(events) between 1 and 8 and events <@ array['signal.created', 'signal.found',
    'position.opened', 'position.closed', 'alert.fired', 'payment.completed', 'credits.low', 'plan.expiring']);
