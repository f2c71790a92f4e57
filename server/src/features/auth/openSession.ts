import { ok } from '@sextant/workers/src/result.ts';
import { sql } from 'kysely';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';
import { readPasswordHash } from './accountRepository.ts';
import { headersOf, sessions } from './betterAuthSetup.ts';
import type { AuthContext } from './context.ts';
import { rememberNetwork } from './knownNetworks.ts';
import { withCause } from './libraryFailure.ts';
import type { Client, NewSession } from './provider.ts';

/** What a session rests on: the password, by the hash it was checked against, or nothing, as in the demo account. */
export type SessionProof = { passwordHash: string | null } | 'none';

/**
 * Marks the session as proved, unless the password it rests on was replaced since. Whoever replaces one ends every session: ours,
 * if it was there by then, and here, if it was not. The lock makes one of the two wait for the other.
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
 * Signs a user in. A new session each time: one the browser brought along is never taken over.
 * @returns `invalid_credentials` when the password was replaced while it was being checked
 */
export async function openSession(
  { auth, db }: AuthContext,
  userId: string,
  client: Client,
  { proof }: { proof: SessionProof },
): Promise<Outcome<NewSession>> {
  const headers = headersOf({}, client);
  const made = await withCause(() => auth.api.openSession({ body: { userId }, headers, returnHeaders: true }));
  const token = made.headers.get('set-auth-token');
  if (token === null) throw new Error('the provider made no session');
  const { user, sessionId } = made.response;
  if (proof !== 'none') {
    const isStanding = await withSystem(db, (tx) => rests(tx, userId, sessionId, proof.passwordHash));
    if (!isStanding) return refuse('invalid_credentials');
    await rememberNetwork(db, userId, client.ip);
  }
  const account = { id: user.id, email: user.email, createdAt: user.createdAt };
  const expiresAt = new Date(Date.now() + sessions.expiresIn * 1000);
  return ok({ id: sessionId, account, token, expiresAt, cookies: made.headers.getSetCookie() });
}
