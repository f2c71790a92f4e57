import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type PaidReason, release } from './ledger.ts';

/** What else has to change when a hold of this reason expires, in the same transaction. */
export type OnExpired = Partial<Record<PaidReason, (tx: SystemTx, ref: string) => Promise<void>>>;

const perSweep = 200;

/** Gives back what was held for work that never ended, e.g. because its process was killed. Any number of nodes may sweep at once. */
export async function expireHolds(db: Db, onExpired: OnExpired): Promise<number> {
  const { rows } = await withSystem(db, (tx) =>
    sql<{ id: string; reason: PaidReason; ref: string | null }>`
      select id, reason, ref from credit_ledger h
      where kind = 'hold' and expires_at <= now()
        and not exists (select from credit_ledger s where s.hold_id = h.id)
      order by expires_at limit ${perSweep}`.execute(tx),
  );
  const failures: unknown[] = [];
  for (const { id, reason, ref } of rows) {
    const giveBack = withSystem(db, async (tx) => {
      // Settled in the meantime, or by the sweep of another node: then there is nothing to undo.
      const settlement = await release(tx, id, 'expired');
      if (settlement.isNew && ref !== null) await onExpired[reason]?.(tx, ref);
    });
    // One that cannot be given back now must not keep everybody else's: it is tried again by the next sweep.
    await giveBack.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${rows.length} holds not given back`);
  return rows.length;
}
