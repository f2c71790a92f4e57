import { randomUUID } from 'node:crypto';
import { type Db, withSystem } from '../db/scope.ts';

/**
 * Each visitor who starts the demo gets a separate account with separate credits. It has no password to guess or take over: sign-up and
 * sign-in with such an address are rejected (routes.ts).
 */
const domain = 'sextant.local';

/** Whether an address belongs to a demo account, including the shared one of older versions. @param email lower case */
export const isDemoEmail = (email: string): boolean => email.endsWith(`@${domain}`) && /^demo(?:\+|@)/.test(email);

/** The same as a SQL `like` pattern. */
export const demoEmailPattern = `demo+%@${domain}`;

/** Creates a demo account. @returns its id */
export const makeDemoAccount = (db: Db): Promise<string> =>
  withSystem(db, async (tx) => {
    const email = `demo+${randomUUID()}@${domain}`;
    const made = tx.insertInto('users').values({ name: 'Demo', email }).returning('id');
    return (await made.executeTakeFirstOrThrow()).id;
  });
