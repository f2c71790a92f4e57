import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import { eventOf, keyOf, type NotificationKind, type NotificationPayloads, type WebhookOnlyKind } from './kinds.ts';

/**
 * Queues a message in the caller's transaction: if that commits, it is sent at least once to the targets that its owner switched on.
 * Idempotent per subject (a position, a scan). Cheap: one row, no external call.
 * `await queueNotification(tx, userId, 'position_opened', { position_id, ... })`
 */
export async function queueNotification<K extends NotificationKind>(
  tx: SystemTx,
  userId: string,
  kind: K,
  payload: NotificationPayloads[K],
): Promise<void> {
  await sql`insert into notifications (user_id, kind, key, payload)
    select ${userId}::uuid, ${kind}, ${keyOf[kind](payload)}, ${JSON.stringify(payload)}::jsonb where ${isStaying(userId)}
    on conflict (user_id, kind, key) do nothing`.execute(tx);
}

/** `queueNotification` for many messages of one kind at once, in one statement. */
export async function queueNotifications<K extends NotificationKind>(
  tx: SystemTx,
  kind: K,
  messages: readonly { userId: string; payload: NotificationPayloads[K] }[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ userId, payload }) => ({ user_id: userId, key: keyOf[kind](payload), payload }));
  await sql`insert into notifications (user_id, kind, key, payload)
    select g.user_id, ${kind}, g.key, g.payload
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (user_id uuid, key text, payload jsonb)
    where not exists (select from deletion_requests d where d.user_id = g.user_id)
    on conflict (user_id, kind, key) do nothing`.execute(tx);
}

/** The same for the users among them who have a webhook of the API for the event. */
export async function queueWhereWebhook<K extends NotificationKind>(
  tx: SystemTx,
  kind: K,
  messages: readonly { userId: string; payload: NotificationPayloads[K] }[],
): Promise<void> {
  if (messages.length === 0) return;
  const users = [...new Set(messages.map(({ userId }) => userId))];
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from webhooks where is_on and ${eventOf(kind)} = any (events) and user_id = any (${users}::uuid[])`.execute(
    tx,
  );
  const subscribed = new Set(rows.map(({ user_id: userId }) => userId));
  await queueNotifications(
    tx,
    kind,
    messages.filter(({ userId }) => subscribed.has(userId)),
  );
}

/** No message is sent for an account that is being deleted. */
const isStaying = (userId: string) => sql`not exists (select from deletion_requests where user_id = ${userId}::uuid)`;

/** Queues messages that go to webhooks of the API only. Stores nothing for a user without a webhook for the event. */
export async function queueForWebhooks<K extends WebhookOnlyKind>(
  tx: SystemTx,
  userId: string,
  kind: K,
  payloads: readonly NotificationPayloads[K][],
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = JSON.stringify(payloads.map((payload) => ({ key: keyOf[kind](payload), payload })));
  await sql`insert into notifications (user_id, kind, key, payload)
    select ${userId}::uuid, ${kind}, key, payload from jsonb_to_recordset(${rows}::jsonb) as given (key text, payload jsonb)
    where ${isStaying(userId)} and exists (select from webhooks where user_id = ${userId}::uuid and is_on and ${eventOf(kind)} = any (events))
    on conflict (user_id, kind, key) do nothing`.execute(tx);
}
