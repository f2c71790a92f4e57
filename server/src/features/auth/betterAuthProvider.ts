import { APIError } from 'better-auth/api';
import type { Credentials } from '../../platform/auth/requireUser.ts';
import type { Db } from '../../platform/db/scope.ts';
import { ok, type Outcome, refuse } from '../../platform/errors.ts';
import type { Gate } from '../../platform/limits/gate.ts';
import { type BetterAuthSetup, createAuth, headersOf, sessionCookie, sessions } from './betterAuthSetup.ts';
import { endOldDemoSessions, ensureDemoAccount } from './demoAccount.ts';
import type { AuthProvider, Client, CurrentSession, NewSession } from './provider.ts';
import { type CachedSession, createSessionCache, type SessionCache } from './sessionCache.ts';

/** A session that was ended on another node is accepted here this much longer. */
const cachedMs = 3000;
/** As the column of the name allows (db/migrations/0001_accounts.sql). */
const nameMax = 100;

export interface BetterAuthOptions extends BetterAuthSetup {
  /** Bounds how many passwords are hashed at once. */
  passwordGate: Gate;
}

interface Context {
  auth: ReturnType<typeof createAuth>;
  systemDb: Db;
  cache: SessionCache<CurrentSession>;
}

const refusals: Record<string, () => Outcome<never>> = {
  INVALID_EMAIL_OR_PASSWORD: () => refuse('invalid_credentials'),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () => refuse('email_taken'),
  INVALID_PASSWORD: () =>
    refuse('validation_failed', 'The current password is not right.', { field: 'current_password' }),
  // The demo account has no password that could be changed.
  CREDENTIAL_ACCOUNT_NOT_FOUND: () =>
    refuse('validation_failed', 'The current password is not right.', { field: 'current_password' }),
  INVALID_EMAIL: () => refuse('validation_failed', 'Please enter a valid email address', { field: 'email' }),
};

function refusalOf(error: unknown): Outcome<never> {
  const code = error instanceof APIError ? String(error.body?.code) : '';
  const refusal = refusals[code];
  if (refusal === undefined) throw error;
  return refusal();
}

interface StoredUser {
  id: string;
  email: string;
  createdAt: Date;
}

const accountOf = ({ id, email, createdAt }: StoredUser) => ({ id, email, createdAt });

function newSession(user: StoredUser, headers: Headers): Outcome<NewSession> {
  const token = headers.get('set-auth-token');
  if (token === null) throw new Error('the provider made no session');
  const expiresAt = new Date(Date.now() + sessions.expiresIn * 1000);
  return ok({ account: accountOf(user), token, expiresAt, cookies: headers.getSetCookie() });
}

async function isTaken(systemDb: Db, email: string): Promise<boolean> {
  return (await systemDb.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined;
}

async function signUp({ auth, systemDb }: Context, email: string, password: string, client: Client) {
  const body = { email, password, name: email.slice(0, Math.min(nameMax, Math.max(1, email.indexOf('@')))) };
  try {
    const made = await auth.api.signUpEmail({ body, headers: headersOf({}, client), returnHeaders: true });
    return newSession(made.response.user, made.headers);
  } catch (error) {
    // Two sign-ups with one address at once: the second fails in the database instead of in the check before it.
    const isRace = error instanceof APIError && error.body?.code === 'FAILED_TO_CREATE_USER';
    return isRace && (await isTaken(systemDb, email)) ? refuse('email_taken') : refusalOf(error);
  }
}

async function signIn({ auth }: Context, email: string, password: string, client: Client) {
  try {
    const body = { email, password };
    const made = await auth.api.signInEmail({ body, headers: headersOf({}, client), returnHeaders: true });
    return newSession(made.response.user, made.headers);
  } catch (error) {
    return refusalOf(error);
  }
}

async function enterDemo({ auth, systemDb }: Context, client: Client) {
  await ensureDemoAccount(systemDb);
  const made = await auth.api.enterDemo({ headers: headersOf({}, client), returnHeaders: true });
  await endOldDemoSessions(systemDb);
  return newSession(made.response.user, made.headers);
}

async function loadSession({ auth }: Context, credentials: Credentials): Promise<CachedSession<CurrentSession> | null> {
  const headers = headersOf(credentials);
  const found = await auth.api.getSession({ headers, returnHeaders: true }).catch((error: unknown) => {
    // A malformed token or cookie is a missing one, not a failure.
    if (error instanceof APIError && error.statusCode < 500) return null;
    throw error;
  });
  if (found?.response == null) return null;
  const { session, user } = found.response;
  const cookies = found.headers.getSetCookie();
  const value = { id: session.id, account: accountOf(user), expiresAt: session.expiresAt, cookies };
  return { value, sessionId: session.id, userId: user.id, expiresAtMs: session.expiresAt.getTime() };
}

async function signOut(context: Context, credentials: Credentials): Promise<string[]> {
  const current = await loadSession(context, credentials);
  const { headers } = await context.auth.api.signOut({ headers: headersOf(credentials), returnHeaders: true });
  if (current !== null) context.cache.endSession(current.sessionId);
  return headers.getSetCookie();
}

const keyOf = ({ authorization, cookie }: Credentials): string =>
  authorization === undefined ? `cookie ${cookie ?? ''}` : `bearer ${authorization}`;

/** The operations on better-auth. */
export function createBetterAuthProvider({ passwordGate, ...setup }: BetterAuthOptions): AuthProvider {
  const cache = createSessionCache<CurrentSession>({ freshMs: cachedMs, entriesMax: 10_000, nowMs: Date.now });
  const context: Context = { auth: createAuth(setup), systemDb: setup.systemDb, cache };
  return {
    signUp: (email, password, client) => passwordGate.run(() => signUp(context, email, password, client)),
    signIn: (email, password, client) => passwordGate.run(() => signIn(context, email, password, client)),
    enterDemo: (client) => enterDemo(context, client),
    signOut: (credentials) => signOut(context, credentials),
    forgetSessions: (userId) => cache.endUser(userId),
    getSession: async (credentials) => {
      if (credentials.authorization === undefined && !sessionCookie.test(credentials.cookie ?? '')) return null;
      return cache.get(keyOf(credentials), () => loadSession(context, credentials));
    },
    updateUser: (credentials, { currentPassword, password }, client) =>
      passwordGate.run(async () => {
        try {
          const made = await context.auth.api.changePassword({
            body: { currentPassword, newPassword: password, revokeOtherSessions: true },
            headers: headersOf(credentials, client),
            returnHeaders: true,
          });
          cache.endUser(made.response.user.id);
          return newSession(made.response.user, made.headers);
        } catch (error) {
          return refusalOf(error);
        }
      }),
  };
}
