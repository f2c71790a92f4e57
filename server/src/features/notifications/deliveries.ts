import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { DeliveriesWire } from './contract.ts';

const shownMax = 50;
type Wire = DeliveriesWire['deliveries'][number];

export async function readDeliveries(tx: UserTx): Promise<DeliveriesWire> {
  const rows = await tx
    .selectFrom('notification_deliveries as d')
    .innerJoin('notifications as n', 'n.id', 'd.notification_id')
    .select(['d.id', 'd.channel', 'n.kind', 'd.state', 'd.attempt_count', 'd.next_attempt_at', 'd.status', 'd.failure'])
    .select(['d.created_at', 'd.finished_at'])
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id')
    .limit(shownMax)
    .execute();
  return {
    deliveries: rows.map((row) => ({
      ...row,
      channel: row.channel as Wire['channel'],
      kind: row.kind as Wire['kind'],
      state: row.state as Wire['state'],
      next_attempt_at: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    })),
  };
}

/** Sends a failed one again, with the id it had. False when there is no failed delivery of this person by that id. */
export async function sendAgain(tx: SystemTx, jobs: Jobs, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ attempt_count: number }>`
    update notification_deliveries set state = 'waiting', finished_at = null, next_attempt_at = now()
    where id = ${id} and user_id = ${userId} and state = 'failed' and attempt_count < 100
    returning attempt_count`.execute(tx);
  if (rows[0] === undefined) return false;
  await jobs.send(tx, 'notification', randomUUID(), { deliveryId: id, attempt: rows[0].attempt_count });
  await notifyUser(tx, userId, 'notifications');
  return true;
}
