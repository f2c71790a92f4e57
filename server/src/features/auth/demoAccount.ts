import { type Db, withSystem } from '../../platform/db/scope.ts';

/**
 * The shared demo account, entered with a button. It has no password that could be guessed or taken over: signing up and signing
 * in with its address are refused (routes.ts).
 */
export const demoEmail = 'demo@sextant.local';

/** Each visitor gets a session of their own; beyond this number the oldest end. */
const demoSessionsMax = 200;

/** The id of the demo account, which is made when it is not there. Many may ask at once. */
export const ensureDemoAccount = (db: Db): Promise<string> =>
  withSystem(db, async (tx) => {
    await tx
      .insertInto('users')
      .values({ name: 'Demo', email: demoEmail })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    const found = tx.selectFrom('users').select('id').where('email', '=', demoEmail);
    return (await found.executeTakeFirstOrThrow()).id;
  });

/** Ends all sessions of the demo account but the newest. */
export const endOldDemoSessions = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    const old = tx
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.id')
      .where('users.email', '=', demoEmail)
      .orderBy('sessions.created_at', 'desc')
      .offset(demoSessionsMax);
    await tx.deleteFrom('sessions').where('id', 'in', old).execute();
  });
