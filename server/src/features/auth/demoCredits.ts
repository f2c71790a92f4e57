import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { grant } from '../credits/ledger.ts';
import { demoEmail } from './demoAccount.ts';

/** Fills the shared demo account up to what a new account has, once an hour: many people spend from it. */
export const fillDemoCredits = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<{ userId: string; missing: number; hour: string }>`
      select u.id as "userId", welcome_credits() - b.credits as missing, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24') as hour
      from users u join balances b on b.user_id = u.id where u.email = ${demoEmail} and b.credits < welcome_credits()`.execute(
      tx,
    );
    for (const { userId, missing, hour } of rows) {
      await grant(tx, { userId, credits: missing, reason: 'demo', key: `demo:${hour}` });
    }
  });
