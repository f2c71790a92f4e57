import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { AuthenticatedUser, Credentials } from '../../platform/auth/requireUser.ts';
import { withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { endSessions, findAccount } from './accountRepository.ts';
import { headersOf } from './betterAuthSetup.ts';
import type { AuthContext } from './context.ts';
import { makeDemoAccount } from '../../platform/auth/demoAccount.ts';
import { sharedAccount } from './freshness.ts';
import { withCause } from './libraryFailure.ts';
import { openSession } from './openSession.ts';
import type { Client, ListedSession, NewSession, Session } from './provider.ts';
import type { CachedSession } from './sessionCache.ts';

export async function enterDemo(context: AuthContext, client: Client): Promise<Outcome<NewSession>> {
  const userId = await makeDemoAccount(context.db);
  return openSession(context, userId, client, { proof: 'none' });
}

export async function loadSession(
  { loadAuth, db }: AuthContext,
  credentials: Credentials,
): Promise<CachedSession<Session> | null> {
  const headers = headersOf(credentials);
  const [auth, { APIError }] = await Promise.all([loadAuth(), import('better-auth/api')]);
  const result = await withCause(() => auth.api.getSession({ headers, returnHeaders: true })).catch(
    (error: unknown) => {
      // A malformed token or cookie counts as missing.
      if (error instanceof APIError && error.statusCode < 500) return null;
      throw error;
    },
  );
  if (result?.response == null) return null;
  const { session, user } = result.response;
  const account = { id: user.id, email: user.email, createdAt: user.createdAt };
  await markSeen({ db }, session.id);
  const cookies = result.headers.getSetCookie();
  const value = { id: session.id, account, expiresAt: session.expiresAt, cookies };
  return { value, sessionId: session.id, userId: user.id, expiresAtMs: session.expiresAt.getTime() };
}

/** To the minute, to avoid a write per request. */
const markSeen = ({ db }: Pick<AuthContext, 'db'>, sessionId: string): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`
      update sessions set last_seen_at = now()
      where id = ${sessionId} and last_seen_at < now() - interval '1 minute'`.execute(tx);
  });

export async function signOut(context: AuthContext, credentials: Credentials): Promise<string[]> {
  const current = await loadSession(context, credentials);
  const auth = await context.loadAuth();
  const { headers } = await withCause(() => auth.api.signOut({ headers: headersOf(credentials), returnHeaders: true }));
  if (current !== null) context.cache.endSession(current.sessionId);
  return headers.getSetCookie();
}

/** Empty for a demo account, which has no password and nothing to secure. */
export async function listSessions({ db }: AuthContext, user: AuthenticatedUser): Promise<ListedSession[]> {
  return withSystem(db, async (tx) => {
    const rows = await tx
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.user_id', 'sessions.user_id')
      .select(['sessions.id', 'user_agent', 'ip_address', 'sessions.created_at', 'last_seen_at'])
      .where('sessions.user_id', '=', user.id)
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('last_seen_at', 'desc')
      .limit(200)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      userAgent: row.user_agent,
      ip: row.ip_address,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      isCurrent: row.id === user.sessionId,
    }));
  });
}

export async function endSession(
  { db, cache }: AuthContext,
  user: AuthenticatedUser,
  sessionId: string,
): Promise<Outcome<null>> {
  const isEnded = await withSystem(db, async (tx) => {
    const ended = tx.deleteFrom('sessions').where('id', '=', sessionId).where('user_id', '=', user.id);
    // A demo account has no other session to end.
    const own = ended.where('user_id', 'in', tx.selectFrom('accounts').select('user_id'));
    return (await own.executeTakeFirst()).numDeletedRows > 0n;
  });
  cache.endSession(sessionId);
  return isEnded ? ok(null) : reject('not_found');
}

export async function endOtherSessions({ db, cache }: AuthContext, user: AuthenticatedUser): Promise<Outcome<null>> {
  const isOwn = await withSystem(db, async (tx) => {
    if ((await findAccount(tx, { id: user.id }))?.passwordHash == null) return false;
    await endSessions(tx, user.id, user.sessionId);
    return true;
  });
  if (!isOwn) return failWith(sharedAccount);
  cache.endUser(user.id);
  return ok(null);
}
