import { type Db, withSystem } from '../../platform/db/scope.ts';

/** Those of the sessions that still open something. Asked of the database: the cache of sessions may be seconds behind. */
export async function liveSessions(db: Db, sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const rows = await withSystem(db, (tx) =>
    tx.selectFrom('sessions').select('id').where('id', 'in', sessionIds).where('expires_at', '>', new Date()).execute(),
  );
  return new Set(rows.map(({ id }) => id));
}
