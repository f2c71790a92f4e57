import { failWith, ok } from '@sextant/workers/src/result.ts';
import { sql } from 'kysely';
import { violatedConstraint } from '../../platform/db/databaseError.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';
import { findAccount } from './accountRepository.ts';
import { sharedAccount } from './freshness.ts';

/** Names somebody could speak with as if they were us. */
const reserved = new Set([
  'admin',
  'administrator',
  'root',
  'support',
  'help',
  'sextant',
  'system',
  'security',
  'staff',
  'moderator',
  'official',
  'api',
  'demo',
]);

export const readUsername = (db: Db, userId: string): Promise<string | null> =>
  withSystem(db, async (tx) => {
    const found = await tx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
    return found?.username ?? null;
  });

/** @param username in lower case and of the right shape (contract.ts). The profile follows by a trigger. */
export async function changeUsername(db: Db, userId: string, username: string): Promise<Outcome<string>> {
  if (reserved.has(username)) return refuse('username_taken', undefined, { field: 'username' });
  try {
    return await withSystem(db, async (tx) => {
      const account = await findAccount(tx, { id: userId });
      if (account === undefined) return refuse('not_authenticated');
      if (account.passwordHash === null) return failWith(sharedAccount);
      const change = { username, updated_at: sql<Date>`now()` };
      await tx.updateTable('users').set(change).where('id', '=', userId).execute();
      return ok(username);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_key')
      return refuse('username_taken', undefined, { field: 'username' });
    throw error;
  }
}
