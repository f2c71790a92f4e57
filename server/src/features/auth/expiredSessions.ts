import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';

/** Deletes sessions that have ended. They open nothing any more; this keeps the table small. */
export const deleteExpiredSessions = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from sessions where expires_at <= now()`.execute(tx);
  });
