import { STEP_UP_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { withSystem } from '../../platform/db/scope.ts';
import { apiErrors, type Outcome, type Rejection, reject } from '../../platform/errors.ts';
import { findAccount } from './accountRepository.ts';
import type { AuthContext } from './context.ts';
import type { Client, Proof } from './provider.ts';
import { admitChange, forgetChanges } from './signInLimits.ts';
import { isPasswordOf } from './signInOperations.ts';
import { useCode } from './twoFactorCodes.ts';

interface Row {
  is_fresh: boolean | null;
  has_password: boolean;
  has_factor: boolean;
}

export const sharedAccount: Rejection = {
  code: 'forbidden',
  message: 'Demo accounts have no password. Create an account to do this.',
};

/** Read from the database each time: ended sessions and new proofs on other nodes count at once. */
export async function checkFresh(
  { db }: AuthContext,
  { id, sessionId }: AuthenticatedUser,
): Promise<Rejection | undefined> {
  const row = await withSystem(db, async (tx) => {
    const { rows } = await sql<Row>`
      select proved_at > now() - make_interval(mins => ${STEP_UP_MINUTES}) as is_fresh,
        exists (select from accounts where accounts.user_id = sessions.user_id and password is not null) as has_password,
        exists (select from two_factors where two_factors.user_id = sessions.user_id and confirmed_at is not null) as has_factor
      from sessions where id = ${sessionId} and user_id = ${id} and expires_at > now()`.execute(tx);
    return rows[0];
  });
  if (row === undefined) return { code: 'not_authenticated', message: apiErrors.not_authenticated.title };
  if (!row.has_password) return sharedAccount;
  if (row.is_fresh === true) return undefined;
  const field = row.has_factor ? 'code' : 'password';
  return { code: 'step_up_required', message: apiErrors.step_up_required.title, field };
}

/** Marks the session as proven, on every node. */
const markProved = ({ db }: AuthContext, { id, sessionId }: AuthenticatedUser): Promise<boolean> =>
  withSystem(db, async (tx) => {
    const done = await tx
      .updateTable('sessions')
      .set({ proved_at: sql<Date>`now()` })
      .where('id', '=', sessionId)
      .where('user_id', '=', id)
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  });

async function prove(
  context: AuthContext,
  user: AuthenticatedUser,
  proof: Proof,
  client: Client,
): Promise<Outcome<null>> {
  const account = await withSystem(context.db, (tx) => findAccount(tx, { id: user.id }));
  if (account?.passwordHash == null) return failWith(sharedAccount);
  if (account.hasTwoFactor) {
    // With two-factor on, the password alone is not sufficient.
    if (!('code' in proof))
      return reject('validation_failed', 'Enter a code from your authenticator.', { field: 'code' });
    return useCode(context, user.id, proof.code, client);
  }
  if (!('password' in proof)) return reject('validation_failed', 'Enter your password.', { field: 'password' });
  const blocked = await admitChange(context.limiter, user.id);
  if (blocked !== undefined) return failWith(blocked);
  const isRight = await context.passwordGate.run(() => isPasswordOf(context, account, proof.password));
  if (!isRight) return reject('validation_failed', 'Wrong password.', { field: 'password' });
  await forgetChanges(context.limiter, user.id);
  return ok(null);
}

export async function stepUp(
  context: AuthContext,
  user: AuthenticatedUser,
  proof: Proof,
  client: Client,
): Promise<Outcome<null>> {
  const outcome = await prove(context, user, proof, client);
  if (!outcome.ok) return outcome;
  return (await markProved(context, user)) ? ok(null) : reject('not_authenticated');
}
