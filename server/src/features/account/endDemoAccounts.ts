import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { demoEmailPattern } from '../../platform/auth/demoAccount.ts';
import { requestDeletion } from './deletionRepository.ts';

/** A demo account ends after this time without use. */
const idleHours = 24;
/** Maximum number of demo accounts; beyond it the least recently used end. */
const accountsMax = 500;
const endedPerRun = 100;

/** Requests the deletion of ended demo accounts, without grace: the sweep of deletions erases them. @returns how many */
export const endDemoAccounts = (db: Db): Promise<number> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from (
        select u.id, s.seen_at, row_number() over (order by s.seen_at desc, u.id) as recency
        from users u cross join lateral (
          select greatest(u.created_at, max(last_seen_at)) as seen_at from sessions where sessions.user_id = u.id) s
        where u.email like ${demoEmailPattern} and not exists (select from deletion_requests d where d.user_id = u.id)) a
      where recency > ${accountsMax} or seen_at < now() - make_interval(hours => ${idleHours})
      order by seen_at limit ${endedPerRun}`.execute(tx);
    for (const { id } of rows) await requestDeletion(tx, id, 0);
    return rows.length;
  });
