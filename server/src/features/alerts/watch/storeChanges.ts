import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { announceFired } from './announceFired.ts';
import { type ChangeWrite, stopAlerts, writeChanges } from './watchRepository.ts';

/** Reason shown for an alert whose change the database rejects. */
const REJECTED_TEXT = 'Its last firing could not be stored. Change the alert to start it again.';

/**
 * Stores sides and firings with their receipts and queued messages. A change that the database rejects stops its alert; the others of the
 * batch are stored.
 * @returns alerts that were stopped
 */
export async function storeChanges(
  tx: SystemTx,
  writes: readonly ChangeWrite[],
  warn: (error: unknown) => void,
): Promise<string[]> {
  if (writes.length === 0) return [];
  const store = async (some: readonly ChangeWrite[]): Promise<void> => {
    const fired = await writeChanges(tx, some);
    if (fired.length > 0) await announceFired(tx, fired);
  };
  if ((await tryWithin(tx, () => store(writes))) === undefined) return [];
  const stopped: string[] = [];
  for (const [id, own] of Map.groupBy(writes, ({ change }) => change.id)) {
    const rejection = await tryWithin(tx, () => store(own));
    if (rejection === undefined) continue;
    warn(rejection);
    stopped.push(id);
    const version = own[0]?.version ?? 0;
    for (const { userId } of await stopAlerts(tx, [{ id, version }], REJECTED_TEXT))
      await notifyUser(tx, userId, 'alerts', { change: 'stopped' });
  }
  return stopped;
}

/** Data exceptions and violated constraints: the row is at fault, not the connection or another transaction. */
const isOfRow = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));

/** Runs `work` in a savepoint. @returns the error of a row, after which the transaction goes on; others reject */
async function tryWithin(tx: SystemTx, work: () => Promise<void>): Promise<Error | undefined> {
  await sql`savepoint changes`.execute(tx);
  try {
    await work();
  } catch (error) {
    if (!isOfRow(error)) throw error;
    await sql`rollback to savepoint changes`.execute(tx);
    return error;
  }
  await sql`release savepoint changes`.execute(tx);
  return undefined;
}
