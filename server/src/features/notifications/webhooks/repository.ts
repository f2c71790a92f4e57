import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_OVERLAP_HOURS, type WebhookEvent } from '@sextant/workers/src/core/webhooks.ts';
import { type Selectable, sql } from 'kysely';
import type { DB } from '@sextant/db/src/schema.gen.ts';
import type { z } from 'zod';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { rejectionError, RejectionError } from '../../../platform/http/rejectionError.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Seal } from '../../../platform/seal.ts';
import { eventOf, type NotificationKind, type NotificationPayloads } from '../kinds.ts';
import { bodyOf, secretText } from '../message.ts';
import { HOST_PATTERN } from '../postSlots.ts';
import type { Webhook, WebhookDelivery } from './contract.ts';

type WebhookWire = z.input<typeof Webhook>;
type DeliveryWire = z.input<typeof WebhookDelivery>;

/** Webhooks of one account. */
export const WEBHOOKS_MAX = 20;
/** Webhooks of an account with the same host, which gets each event once per webhook. */
export const WEBHOOKS_PER_HOST_MAX = 5;

/** Serialises the limit checks of one account. */
const lockWebhooks = (tx: SystemTx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${userId}`}, 0))`.execute(tx);

/** @param exceptId the webhook that gets this URL. @throws RefusalError when the account has the maximum of webhooks for its host */
async function checkHost(tx: SystemTx, userId: string, url: string, exceptId: string | null): Promise<void> {
  const { host } = new URL(url);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where user_id = ${userId} and id is distinct from ${exceptId}::uuid
      and lower(substring(url from ${HOST_PATTERN})) = ${host}`.execute(tx);
  if ((rows[0]?.count ?? 0) < WEBHOOKS_PER_HOST_MAX) return;
  const message = `Limit reached: ${WEBHOOKS_PER_HOST_MAX} webhooks for ${host}. Delete one or add its events to another.`;
  throw new RejectionError({ code: 'conflict', field: 'url', message });
}
const shownMax = 50;
const hintLength = 4;

const toWire = (row: Selectable<DB['webhooks']>): WebhookWire => ({
  id: row.id,
  url: row.url,
  events: row.events as WebhookEvent[],
  active: row.is_on,
  secret_hint: `…${row.secret_hint}`,
  payload: row.payload as Record<string, unknown>,
  created_at: row.created_at.toISOString(),
  last_delivery_at: row.last_delivery_at?.toISOString() ?? null,
  last_status: row.last_status,
  last_sequence: row.last_sequence,
  last_test_at: row.last_test_at?.toISOString() ?? null,
  last_test_succeeded: row.last_test_succeeded,
  failing_since: row.failing_since?.toISOString() ?? null,
  off_reason: row.off_reason,
});

/** Newest first. */
export async function readWebhooks(tx: UserTx): Promise<WebhookWire[]> {
  const rows = await tx.selectFrom('webhooks').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(toWire);
}

interface NewWebhook {
  userId: string;
  url: string;
  events: WebhookEvent[];
  /** JSON. */
  payload: string;
}

/** @returns the webhook and its secret, which is not returned again */
export async function addWebhook(
  tx: SystemTx,
  seal: Seal,
  { userId, url, events, payload }: NewWebhook,
): Promise<{ webhook: WebhookWire; secret: string }> {
  await lockWebhooks(tx, userId);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where user_id = ${userId}`.execute(tx);
  if ((rows[0]?.count ?? 0) >= WEBHOOKS_MAX)
    throw rejectionError('conflict', `Limit reached (${WEBHOOKS_MAX} webhooks). Delete one first.`);
  await checkHost(tx, userId, url, null);
  const secret = secretText(randomBytes(32));
  const row = await tx
    .insertInto('webhooks')
    .values({ user_id: userId, url, events: [...new Set(events)], payload, secret_hint: secret.slice(-hintLength) })
    .returningAll()
    .executeTakeFirstOrThrow();
  const sealed = seal.seal(secret, userId);
  await tx.insertInto('webhook_secrets').values({ webhook_id: row.id, user_id: userId, sealed }).execute();
  await notifyUser(tx, userId, 'notifications');
  return { webhook: toWire(row), secret };
}

interface WebhookKey {
  userId: string;
  id: string;
}

/** Switching it on, or a new address, clears the reason why it was switched off. @returns undefined when the id is unknown */
export async function changeWebhook(
  tx: SystemTx,
  { userId, id }: WebhookKey,
  change: { url?: string | undefined; events?: WebhookEvent[] | undefined; active?: boolean | undefined },
): Promise<WebhookWire | undefined> {
  const { url, events, active } = change;
  const isMended = active === true || url !== undefined;
  if (url !== undefined) {
    await lockWebhooks(tx, userId);
    await checkHost(tx, userId, url, id);
  }
  const row = await tx
    .updateTable('webhooks')
    .set({
      ...withoutUndefined({ url, is_on: active }),
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(isMended ? { off_reason: null, failing_since: null } : {}),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await notifyUser(tx, userId, 'notifications');
  return toWire(row);
}

/** Deletes the webhook with its key and its deliveries. */
export async function removeWebhook(tx: SystemTx, { userId, id }: WebhookKey): Promise<boolean> {
  const done = await tx.deleteFrom('webhooks').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  if (done.numDeletedRows === 0n) return false;
  await notifyUser(tx, userId, 'notifications');
  return true;
}

/** Rotates the key; the previous one signs for another day. */
export async function rotateSecret(
  tx: SystemTx,
  seal: Seal,
  { userId, id }: WebhookKey,
): Promise<{ secret: string; previousUntil: Date } | undefined> {
  const secret = secretText(randomBytes(32));
  const { rows } = await sql<{ previous_until: Date }>`
    update webhook_secrets set previous_sealed = sealed, previous_until = now() + make_interval(hours => ${WEBHOOK_OVERLAP_HOURS}),
      sealed = ${seal.seal(secret, userId)}, created_at = now()
    where webhook_id = ${id} and user_id = ${userId} returning previous_until`.execute(tx);
  if (rows[0] === undefined) return undefined;
  await sql`update webhooks set secret_hint = ${secret.slice(-hintLength)} where id = ${id}`.execute(tx);
  await notifyUser(tx, userId, 'notifications');
  return { secret, previousUntil: rows[0].previous_until };
}

const deliveriesOf = (tx: UserTx, webhookId: string) =>
  tx
    .selectFrom('notification_deliveries as d')
    .innerJoin('notifications as n', 'n.id', 'd.notification_id')
    .select(['d.id', 'd.sequence', 'n.kind', 'n.payload', 'n.created_at as happened_at'])
    .select(['d.state', 'd.attempt_count', 'd.next_attempt_at', 'd.status', 'd.duration_ms', 'd.failure'])
    .select(['d.created_at', 'd.finished_at'])
    .where('d.webhook_id', '=', webhookId);

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['execute']>>[number];

function toDelivery(row: DeliveryRow): DeliveryWire {
  const kind = row.kind as NotificationKind;
  const payload = row.payload as NotificationPayloads[NotificationKind];
  const { sequence } = row;
  return {
    id: row.id,
    event: eventOf(kind),
    sequence,
    state: row.state as DeliveryWire['state'],
    attempt_count: row.attempt_count,
    next_attempt_at: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
    status: row.status,
    duration_ms: row.duration_ms,
    failure: row.failure,
    body: bodyOf({ kind, payload, createdAt: row.happened_at }, sequence ?? undefined),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** The newest deliveries of a webhook; undefined when the user has no such webhook. */
export async function readDeliveries(tx: UserTx, webhookId: string): Promise<DeliveryWire[] | undefined> {
  const row = await tx.selectFrom('webhooks').select('id').where('id', '=', webhookId).executeTakeFirst();
  if (row === undefined) return undefined;
  const newest = deliveriesOf(tx, webhookId).orderBy('d.created_at', 'desc').orderBy('d.id').limit(shownMax);
  return (await newest.execute()).map(toDelivery);
}

export async function readDelivery(tx: UserTx, webhookId: string, id: string): Promise<DeliveryWire | undefined> {
  const row = await deliveriesOf(tx, webhookId).where('d.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toDelivery(row);
}

/** Sends a finished delivery again, with the same id and body. False when there is no finished one with that id. */
export async function redeliver(
  tx: SystemTx,
  jobs: Jobs,
  { userId, webhookId, id }: { userId: string; webhookId: string; id: string },
): Promise<boolean> {
  const { rows } = await sql<{ attempt_count: number }>`
    update notification_deliveries set state = 'waiting', finished_at = null, next_attempt_at = now()
    where id = ${id} and webhook_id = ${webhookId} and user_id = ${userId} and state <> 'waiting' and attempt_count < 100
    returning attempt_count`.execute(tx);
  if (rows[0] === undefined) return false;
  await jobs.send(tx, 'notification', randomUUID(), { deliveryId: id, attempt: rows[0].attempt_count });
  await notifyUser(tx, userId, 'notifications');
  return true;
}

/** A job sends the test if the requested node ends before it has. */
const testLeaseS = 60;

/** Stores a test message of one webhook, to be sent at once by the caller. @returns the id of its delivery */
export async function addTest(
  tx: SystemTx,
  jobs: Jobs,
  {
    userId,
    webhookId,
    example,
  }: { userId: string; webhookId: string; example: NotificationPayloads['test']['example'] },
): Promise<string> {
  const testId = randomUUID();
  const payload: NotificationPayloads['test'] = {
    test_id: testId,
    channel: 'endpoint',
    ...withoutUndefined({ example }),
  };
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into notifications (user_id, kind, key, payload, dispatched_at)
      values (${userId}, 'test', ${testId}, ${JSON.stringify(payload)}::jsonb, now()) returning id)
    insert into notification_deliveries (notification_id, user_id, channel, webhook_id)
    select id, ${userId}, 'endpoint', ${webhookId} from made returning id`.execute(tx);
  const [{ id }] = rows as [{ id: string }];
  await jobs.send(tx, 'notification', randomUUID(), { deliveryId: id, attempt: 0 }, { startAfterS: testLeaseS });
  return id;
}
