import { sql } from 'kysely';
import { countText } from '../../platform/countText.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { NotificationKind } from './kinds.ts';

/** Bounds of the messages of one account's alerts: repeating alerts can fire faster than their messages may leave. */

/** Deliveries of alerts that wait at once. Eight minutes of the posts of an account. */
export const ALERTS_WAITING_MAX = 1000;
/** Deliveries beyond it that are stored as failed, until they are as old as all others. */
export const ALERTS_LEFT_OUT_MAX = 1000;
/** Longest wait for the turn of the account, from the firing on. Attempts at a failing target take as long as those of other messages. */
export const ALERT_TURN_MS = 2 * 3_600_000;
/** A late message whose turn comes within this many seconds still waits for it: longer than a full backlog takes. */
export const ALERT_LATE_WAIT_S = 15 * 60;

export const LEFT_OUT_TEXT = `Left out: ${countText(ALERTS_WAITING_MAX)} messages of your alerts were waiting. Set a longer pause between firings.`;
export const LATE_TURN_TEXT =
  'Left out: its turn did not come within two hours of the alert. Set a longer pause between firings.';

const alertKinds: readonly NotificationKind[] = ['alert_fired', 'alert_ended'];
export const isAboutAlert = (kind: NotificationKind): boolean => alertKinds.includes(kind);

/**
 * Ends new deliveries of alerts beyond the bound of their account. Two nodes that dispatch at once may pass it by a batch.
 * @returns the ids of those that are not sent
 */
export async function leaveOutExcess(tx: SystemTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    with fresh as (
      select d.id, d.user_id, row_number() over (partition by d.user_id order by n.created_at, d.id) as nth
      from notification_deliveries d join notifications n on n.id = d.notification_id
      where d.id = any (${[...ids]}::uuid[]) and n.kind = any (${alertKinds})),
    earlier as (
      select o.user_id, count(*) as count
      from notification_deliveries o join notifications n on n.id = o.notification_id and n.kind = any (${alertKinds})
      where o.state = 'waiting' and o.user_id in (select user_id from fresh) and o.id <> all (${[...ids]}::uuid[])
      group by o.user_id)
    update notification_deliveries d set state = 'failed', finished_at = now(), failure = ${LEFT_OUT_TEXT}
    from fresh left join earlier using (user_id)
    where d.id = fresh.id and fresh.nth + coalesce(earlier.count, 0) > ${ALERTS_WAITING_MAX}
    returning d.id, d.user_id`.execute(tx);
  if (rows.length > 0) await deleteSurplus(tx, rows);
  return new Set(rows.map(({ id }) => id));
}

async function deleteSurplus(tx: SystemTx, leftOut: readonly { id: string; user_id: string }[]): Promise<void> {
  const users = [...new Set(leftOut.map(({ user_id: userId }) => userId))];
  await sql`
    delete from notification_deliveries where id = any (${leftOut.map(({ id }) => id)}::uuid[]) and user_id in (
      select user_id from notification_deliveries
      where user_id = any (${users}::uuid[]) and state = 'failed' and attempt_count = 0 and failure = ${LEFT_OUT_TEXT}
      group by user_id having count(*) > ${ALERTS_LEFT_OUT_MAX})`.execute(tx);
}
