import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { readPasswordHash } from './accountRepository.ts';
import { headersOf, sessions } from './betterAuthSetup.ts';
import type { AuthContext } from './context.ts';
import { rememberNetwork } from './knownNetworks.ts';
import { withCause } from './libraryFailure.ts';
import type { Client, NewSession } from './provider.ts';

/** Proof of the user's identity: the hash the password was checked against, or `none` for a demo account. */
export type SessionProof = { passwordHash: string | null } | 'none';

/**
 * Marks the session as proven, or deletes it when its password was replaced in the meantime. Replacing a password ends all existing
 * sessions; this check ends one created at the same moment. The row lock orders the two.
 */
async function rests(tx: SystemTx, userId: string, sessionId: string, passwordHash: string | null): Promise<boolean> {
  if ((await readPasswordHash(tx, userId)) === passwordHash) {
    await sql`update sessions set proved_at = now() where id = ${sessionId}`.execute(tx);
    return true;
  }
  await tx.deleteFrom('sessions').where('id', '=', sessionId).execute();
  return false;
}

/**
 * Signs a user in with a new session: an existing session of the browser is never reused.
 * @returns `invalid_credentials` when the password was replaced during the check
 */
export async function openSession(
  { loadAuth, db }: AuthContext,
  userId: string,
  client: Client,
  { proof }: { proof: SessionProof },
): Promise<Outcome<NewSession>> {
  const headers = headersOf({}, client);
  const auth = await loadAuth();
  const made = await withCause(() => auth.api.openSession({ body: { userId }, headers, returnHeaders: true }));
  const token = made.headers.get('set-auth-token');
  if (token === null) throw new Error('the provider made no session');
  const { user, sessionId } = made.response;
  if (proof !== 'none') {
    const isStanding = await withSystem(db, (tx) => rests(tx, userId, sessionId, proof.passwordHash));
    if (!isStanding) return reject('invalid_credentials');
    await rememberNetwork(db, userId, client.ip);
  }
  const account = { id: user.id, email: user.email, createdAt: user.createdAt };
  const expiresAt = new Date(Date.now() + sessions.expiresIn * 1000);
  return ok({ id: sessionId, account, token, expiresAt, cookies: made.headers.getSetCookie() });
}
