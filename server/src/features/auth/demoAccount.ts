import type { Db } from '../../platform/db/scope.ts';

/**
 * The account everybody may enter with a button. It has no password, so nobody can take it over, and nobody can guess one:
 * signing up and signing in with its address are refused (routes.ts).
 */
export const demoEmail = 'demo@sextant.local';

/** Everybody who presses the button gets a session; older ones than these end. */
const demoSessionsMax = 200;

/** Makes the demo account when it is not there. Many may ask at once. */
export async function ensureDemoAccount(systemDb: Db): Promise<void> {
  await systemDb
    .insertInto('users')
    .values({ name: 'Demo', email: demoEmail })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
}

/** Ends all sessions of the demo account but the newest. */
export async function endOldDemoSessions(systemDb: Db): Promise<void> {
  const old = systemDb
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('users.email', '=', demoEmail)
    .orderBy('sessions.created_at', 'desc')
    .offset(demoSessionsMax);
  await systemDb.deleteFrom('sessions').where('id', 'in', old).execute();
}
