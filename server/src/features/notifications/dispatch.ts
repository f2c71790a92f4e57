import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { isAboutAlert, leaveOutExcess } from './alertLimits.ts';
import type { NotificationKind } from './kinds.ts';
import { priorityOf, prioritySql } from './postSlots.ts';

export interface DispatchDeps {
  db: Db;
  jobs: Pick<Jobs, 'sendAll'>;
}

const batchMax = 50;

interface NewDelivery {
  id: string;
  notification_id: string;
}

/**
 * Creates a delivery and its job for each target of a queued message, in the transaction that marks it: if the node dies in between,
 * the next one does it. Messages of an account that is being deleted are marked and go nowhere. Messages about money come first, and accounts take turns. Several nodes may run it concurrently. Returns how
 * many messages it processed.
 */
export async function dispatchQueued({ db, jobs }: DispatchDeps): Promise<number> {
  return withSystem(db, async (tx) => {
    const { rows: first } = await sql<{ id: string }>`
      select id from (
        select id, kind, created_at, row_number() over (partition by user_id order by created_at) as nth
        from notifications where dispatched_at is null) waiting
      order by ${prioritySql} desc, nth, created_at limit ${batchMax}`.execute(tx);
    const { rows: taken } = await sql<{ id: string; kind: NotificationKind; leaving: boolean }>`
      update notifications set dispatched_at = now() where id in (
        select id from notifications where dispatched_at is null and id = any (${first.map(({ id }) => id)}::uuid[])
        for update skip locked)
      returning id, kind, exists (select from deletion_requests d where d.user_id = notifications.user_id) as leaving`.execute(
      tx,
    );
    if (taken.length === 0) return 0;
    const ids = taken.filter(({ leaving }) => !leaving).map(({ id }) => id);
    const kinds = new Map(taken.map(({ id, kind }) => [id, kind]));
    const deliveries = [
      ...(await deliverToTargets(tx, ids)),
      ...(await deliverAlerts(tx, ids)),
      ...(await deliverToWebhooks(tx, ids)),
    ];
    const hasAlerts = [...kinds.values()].some(isAboutAlert);
    const leftOut = hasAlerts
      ? await leaveOutExcess(
          tx,
          deliveries.map(({ id }) => id),
        )
      : new Set<string>();
    const sent = deliveries.filter(({ id }) => !leftOut.has(id));
    const newJobs = sent.map(({ id, notification_id: notificationId }) => {
      const kind = kinds.get(notificationId);
      const priority = kind === undefined ? 0 : priorityOf(kind);
      return { id: randomUUID(), data: { deliveryId: id, attempt: 0 }, priority };
    });
    await jobs.sendAll(tx, 'notification', newJobs);
    return taken.length;
  });
}

/** A test goes only to the channel under test; everything else to the targets that the owner switched on for its kind. */
async function deliverToTargets(tx: SystemTx, ids: readonly string[]): Promise<NewDelivery[]> {
  const { rows } = await sql<NewDelivery>`
    insert into notification_deliveries (notification_id, user_id, channel)
    select n.id, n.user_id, t.channel from notifications n join notification_targets t on t.user_id = n.user_id
    where n.id = any (${ids}::uuid[])
      and case n.kind when 'test' then t.channel = n.payload ->> 'channel'
        when 'alert_fired' then t.is_on and n.payload -> 'channels' ? t.channel
        when 'alert_ended' then t.is_on and n.payload -> 'channels' ? t.channel
        else t.is_on and n.kind = any (t.kinds) end
    returning id, notification_id`.execute(tx);
  return rows;
}

/** Emails and pushes of alerts, which name their channels; a push goes to each browser. */
async function deliverAlerts(tx: SystemTx, ids: readonly string[]): Promise<NewDelivery[]> {
  const { rows } = await sql<NewDelivery>`
    insert into notification_deliveries (notification_id, user_id, channel, push_id)
    select n.id, n.user_id, 'email', null::uuid from notifications n
    where n.id = any (${ids}::uuid[]) and n.kind in ('alert_fired', 'alert_ended') and n.payload -> 'channels' ? 'email'
    union all
    select n.id, n.user_id, 'push', p.id from notifications n join push_subscriptions p on p.user_id = n.user_id
    where n.id = any (${ids}::uuid[]) and n.kind in ('alert_fired', 'alert_ended') and n.payload -> 'channels' ? 'push'
    returning id, notification_id`.execute(tx);
  return rows;
}

/** Numbers the messages of each webhook. Locks are taken in one order, so that two nodes wait for each other instead of deadlocking. */
async function deliverToWebhooks(tx: SystemTx, ids: readonly string[]): Promise<NewDelivery[]> {
  const { rows: locked } = await sql<{ id: string }>`
    select id from webhooks where is_on and user_id in (select user_id from notifications where id = any (${ids}::uuid[]))
    order by id for update`.execute(tx);
  if (locked.length === 0) return [];
  const { rows } = await sql<NewDelivery>`
    with wanted as (
      select n.id as notification_id, n.user_id, w.id as webhook_id, w.last_sequence,
        row_number() over (partition by w.id order by n.created_at, n.id) as nth
      from notifications n join webhooks w on w.user_id = n.user_id and replace(n.kind, '_', '.') = any (w.events)
      where n.id = any (${ids}::uuid[]) and w.id = any (${locked.map(({ id }) => id)}::uuid[])),
    counted as (
      update webhooks w set last_sequence = w.last_sequence + c.nth
      from (select webhook_id, max(nth) as nth from wanted group by webhook_id) c where w.id = c.webhook_id)
    insert into notification_deliveries (notification_id, user_id, channel, webhook_id, sequence)
    select notification_id, user_id, 'endpoint', webhook_id, last_sequence + nth from wanted
    returning id, notification_id`.execute(tx);
  return rows;
}

const oldBatchMax = 5000;

/** Deletes some old notifications with their deliveries, and returns how many. */
export async function deleteOldNotifications(tx: SystemTx, retentionDays: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where id in (
      select id from notifications where created_at < now() - make_interval(days => ${retentionDays}) limit ${oldBatchMax})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
