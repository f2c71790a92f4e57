import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

export interface StoredAccount {
  id: string;
  email: string;
  isConfirmed: boolean;
  /** PHC string; null for an account without a password, like the demo's. */
  passwordHash: string | null;
  hasTwoFactor: boolean;
}

const provider = 'credential';

/** An account with the data for a sign-in, by address or id. */
export async function findAccount(
  tx: SystemTx,
  by: { email: string } | { id: string },
): Promise<StoredAccount | undefined> {
  const column = 'email' in by ? 'users.email' : 'users.id';
  const row = await tx
    .selectFrom('users')
    .leftJoin('accounts', (join) => join.onRef('accounts.user_id', '=', 'users.id').on('provider_id', '=', provider))
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.email_verified', 'accounts.password', 'two_factors.confirmed_at'])
    .where(column, '=', 'email' in by ? by.email : by.id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    email: row.email,
    isConfirmed: row.email_verified,
    passwordHash: row.password,
    hasTwoFactor: row.confirmed_at !== null,
  };
}

/** The current password hash. Locks the row until the transaction ends: a concurrent password change runs before or after. */
export async function readPasswordHash(tx: SystemTx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', provider)
    .forShare()
    .executeTakeFirst();
  return row?.password ?? null;
}

export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string;
  /** Keyed hash of the mailbox, equal for every spelling: welcome credits are granted once per mailbox. */
  welcomeHash: string;
}

/**
 * Creates an account; returns undefined when the address already has one. Creates preferences, profile and credits with it; welcome
 * credits are granted once per `welcomeHash`.
 */
export async function insertAccount(
  tx: SystemTx,
  { email, name, passwordHash, welcomeHash }: NewAccount,
): Promise<string | undefined> {
  const user = await tx
    .insertInto('users')
    .values({ email, name, welcome_hash: welcomeHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const account = { user_id: user.id, account_id: user.id, provider_id: provider, password: passwordHash };
  await tx.insertInto('accounts').values(account).execute();
  return user.id;
}

export async function setPassword(tx: SystemTx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ password: passwordHash, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('provider_id', '=', provider)
    .execute();
}

export async function confirmEmail(tx: SystemTx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ email_verified: true }).where('id', '=', userId).execute();
}

/** Ends all sessions of a user, or all but one. */
export async function endSessions(tx: SystemTx, userId: string, exceptId?: string | null): Promise<void> {
  const ended = tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (exceptId == null ? ended : ended.where('id', '<>', exceptId)).execute();
}
