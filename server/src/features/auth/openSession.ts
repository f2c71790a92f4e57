import { sql } from 'kysely';
import { withSystem } from '../../platform/db/scope.ts';
import { ok, type Outcome } from '../../platform/errors.ts';
import { headersOf, sessions } from './betterAuthSetup.ts';
import type { AuthContext } from './context.ts';
import type { Client, NewSession } from './provider.ts';

/**
 * Signs a user in. A new session each time: one the browser brought along is never taken over.
 * @param isProved whether the person has just proved who they are; nobody does in the demo account
 */
export async function openSession(
  { auth, db }: AuthContext,
  userId: string,
  client: Client,
  { isProved }: { isProved: boolean },
): Promise<Outcome<NewSession>> {
  const made = await auth.api.openSession({ body: { userId }, headers: headersOf({}, client), returnHeaders: true });
  const token = made.headers.get('set-auth-token');
  if (token === null) throw new Error('the provider made no session');
  const { user, sessionId } = made.response;
  if (isProved) {
    await withSystem(db, async (tx) => {
      await sql`update sessions set proved_at = now() where id = ${sessionId}`.execute(tx);
    });
  }
  const account = { id: user.id, email: user.email, createdAt: user.createdAt };
  const expiresAt = new Date(Date.now() + sessions.expiresIn * 1000);
  return ok({ id: sessionId, account, token, expiresAt, cookies: made.headers.getSetCookie() });
}
