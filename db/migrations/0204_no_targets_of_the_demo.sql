-- The demo account is shared: targets and keys that visitors left there are taken away, and messages on their way are ended.
update notification_deliveries set state = 'failed', finished_at = now(), failure = 'The demo account sends no messages outside.'
  where state = 'waiting' and user_id in (select id from users where email = 'demo@sextant.local');
delete from webhook_keys where user_id in (select id from users where email = 'demo@sextant.local');
delete from telegram_links where user_id in (select id from users where email = 'demo@sextant.local');
delete from notification_targets where user_id in (select id from users where email = 'demo@sextant.local');
update preferences set telegram = null, webhook = null
  where user_id in (select id from users where email = 'demo@sextant.local');
