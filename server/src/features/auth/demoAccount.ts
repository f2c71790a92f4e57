import { randomUUID } from 'node:crypto';
import { type Db, withSystem } from '../../platform/db/scope.ts';

/**
 * Each visitor who presses the button of the demo gets an account of their own, with credits of its own. It has no password that could
 * be guessed or taken over: signing up and signing in with such an address are refused (routes.ts).
 */
const domain = 'sextant.local';

/** Whether an address is one of a demo account; of older versions too, where all visitors shared one. @param email lower case */
export const isDemoEmail = (email: string): boolean => email.endsWith(`@${domain}`) && /^demo(?:\+|@)/.test(email);

/** The same in SQL, for `like`. */
export const demoEmailPattern = `demo+%@${domain}`;

/** A new demo account. @returns its id */
export const makeDemoAccount = (db: Db): Promise<string> =>
  withSystem(db, async (tx) => {
    const email = `demo+${randomUUID()}@${domain}`;
    const made = tx.insertInto('users').values({ name: 'Demo', email }).returning('id');
    return (await made.executeTakeFirstOrThrow()).id;
  });
