import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';

export interface DispatchDeps {
  db: Db;
  jobs: Jobs;
}

const batchMax = 50;

/**
 * Makes a delivery and its job for each target a queued message is for, in the transaction that marks it: a node that dies in
 * between leaves it for the next. Several nodes may do so at once. Gives how many messages it took.
 */
export async function dispatchQueued({ db, jobs }: DispatchDeps): Promise<number> {
  return withSystem(db, async (tx) => {
    // A test goes to the one channel it tests; everything else to what its owner switched on and wants to hear of.
    const { rows } = await sql<{ id: string | null }>`
      with taken as (
        update notifications set dispatched_at = now() where id in (
          select id from notifications where dispatched_at is null order by created_at limit ${batchMax}
          for update skip locked)
        returning id, user_id, kind, payload),
      made as (
        insert into notification_deliveries (notification_id, user_id, channel)
        select n.id, n.user_id, t.channel from taken n join notification_targets t on t.user_id = n.user_id
        where case when n.kind = 'test' then t.channel = n.payload ->> 'channel' else t.is_on and n.kind = any (t.kinds) end
        returning id, notification_id)
      select made.id from taken left join made on made.notification_id = taken.id`.execute(tx);
    for (const { id } of rows) {
      if (id !== null) await jobs.send(tx, 'notification', randomUUID(), { deliveryId: id, attempt: 0 });
    }
    return rows.length;
  });
}

const keptDays = 30;

/** What is old is forgotten, with its deliveries. */
export const deleteOldNotifications = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from notifications where created_at < now() - make_interval(days => ${keptDays})`.execute(tx);
  });
