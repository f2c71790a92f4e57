-- Not marked as one that older nodes work beside: they would mark the new message as sent without sending it.
-- An alert ends with the contract of its symbol, and its owner gets one message on the channels of the alerts that ended.
alter table notifications drop constraint notifications_kind_check;
alter table notifications
  add constraint notifications_kind_check check (kind in ('scan_finished', 'credits_low', 'position_opened', 'position_closed',
    'arbitrage_spread', 'signal_created', 'signal_found', 'payment_completed', 'plan_expiring', 'alert_fired', 'alert_ended', 'test'));
