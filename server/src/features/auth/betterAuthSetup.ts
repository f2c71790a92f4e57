import { randomUUID } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { z } from 'zod';
import type { Credentials } from '../../platform/auth/requireUser.ts';
import type { Db } from '../../platform/db/scope.ts';
import { noteFailure } from './libraryFailure.ts';
import type { Client } from './provider.ts';

/** Creates a session for a known user through the library. Internal: not reachable over HTTP. */
async function loadSessionEntry() {
  const [{ createAuthEndpoint }, { setSessionCookie }] = await Promise.all([
    import('better-auth/api'),
    import('better-auth/cookies'),
  ]);
  return {
    id: 'sextant-session',
    endpoints: {
      openSession: createAuthEndpoint(
        '/sextant/session',
        { method: 'POST', requireHeaders: true, body: z.object({ userId: z.string() }) },
        async (ctx) => {
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (user === null) throw new Error('the account is not there');
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ user, sessionId: session.id });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

const cookieName = 'sextant.session_token';
export const sessionCookie = /(?:^|;\s*)(?:__Host-)?sextant\.session_token=/;

const dayS = 24 * 3600;
export interface BetterAuthSetup {
  /** Runs as the service role: the provider uses its own queries. */
  systemDb: Db;
  secret: string;
  baseUrl: string;
  isSecure: boolean;
}

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Table and column names of db/migrations/0001_users.sql. */
const tables = {
  user: { modelName: 'users', fields: { ...timestamps, emailVerified: 'email_verified' } },
  account: {
    modelName: 'accounts',
    fields: {
      ...timestamps,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'verifications', fields: { ...timestamps, expiresAt: 'expires_at' } },
};

export const sessions = {
  modelName: 'sessions',
  fields: {
    ...timestamps,
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
  },
  expiresIn: 7 * dayS,
  updateAge: dayS,
  cookieCache: { enabled: false },
};

/** The library, configured for our tables. Used only by betterAuthProvider.ts and loaded after the server listens. */
export async function createAuth({ systemDb, secret, baseUrl, isSecure }: BetterAuthSetup) {
  const [{ betterAuth }, { bearer }, sessionEntry] = await Promise.all([
    import('better-auth'),
    // Imported one by one: the index of all plugins costs 20 MB.
    import('better-auth/plugins/bearer'),
    loadSessionEntry(),
  ]);
  return betterAuth({
    appName: 'Sextant',
    baseURL: baseUrl,
    secret,
    database: { db: systemDb, type: 'postgres', transaction: true },
    ...tables,
    session: sessions,
    // The product counts in the database, per address and per account (signInLimits.ts).
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'sextant',
      // The library option would prefix __Secure-; __Host- also prevents other hosts of the domain from setting the cookie.
      useSecureCookies: false,
      cookies: { session_token: { name: isSecure ? `__Host-${cookieName}` : cookieName } },
      database: { generateId: () => randomUUID() },
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: ['x-sextant-client-ip'] },
    },
    plugins: [bearer({ requireSignature: true }), sessionEntry],
    telemetry: { enabled: false },
    // It would log addresses; the error handler of the product logs the failures.
    logger: { level: 'error', log: noteFailure },
  });
}

/** Only the headers the provider needs, and the address determined by the server instead of one the client claims. */
export function headersOf(credentials: Credentials, client?: Client): Headers {
  const headers = new Headers();
  if (credentials.authorization !== undefined) headers.set('authorization', credentials.authorization);
  else if (credentials.cookie !== undefined) headers.set('cookie', credentials.cookie);
  if (client !== undefined) headers.set('x-sextant-client-ip', client.ip);
  if (client?.userAgent !== undefined) headers.set('user-agent', client.userAgent.slice(0, 300));
  return headers;
}
