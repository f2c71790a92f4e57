import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';

/** Deletes expired sessions and links. They are already invalid; this only keeps the tables small. */
export const deleteExpiredSessions = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from sessions where expires_at <= now()`.execute(tx);
    await sql`delete from auth_tokens where expires_at <= now()`.execute(tx);
  });
