-- The preferences name the targets of messages. What is called is in notification_targets, where each address was proven; the
-- service writes the two together.
grant update (telegram, webhook, updated_at) on preferences to app_system;
