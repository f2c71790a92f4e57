import type { SystemTx } from '../../platform/db/scope.ts';
import { keyOf, type NotificationKind, type NotificationPayloads } from './kinds.ts';

/**
 * Queues a message in the caller's transaction: it goes to the targets its owner switched on exactly when that commits, at least
 * once. About the same thing (a position, a scan) it is one message, however often this is called. Cheap: one row, no call to
 * outside. `await queueNotification(tx, userId, 'position_opened', { position_id, ... })`
 */
export async function queueNotification<K extends NotificationKind>(
  tx: SystemTx,
  userId: string,
  kind: K,
  payload: NotificationPayloads[K],
): Promise<void> {
  await tx
    .insertInto('notifications')
    .values({ user_id: userId, kind, key: keyOf[kind](payload), payload: JSON.stringify(payload) })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'key']).doNothing())
    .execute();
}
