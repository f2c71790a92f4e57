import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { rejectionError } from '../http/rejectionError.ts';
import type { Access } from './access.ts';

export interface AuthenticatedUser {
  id: string;
  email: string;
  /** Empty for a call with an API key; no route that reads it accepts keys. */
  sessionId: string;
  /** The API key of the call; undefined for a session. */
  apiKeyId?: string;
  /** Set for a call with a test key: all that the sandbox may know of the key and its owner, as returned by `whoami`. */
  testKey?: { whoAmI: object };
}

/** Credentials of a request. When a Bearer token is sent, the cookie is ignored. */
export interface Credentials {
  authorization?: string;
  cookie?: string;
}

/** Finds the user of a request; null when the credentials are missing, wrong or expired. */
export type Identify = (credentials: Credentials, route: string | undefined) => Promise<AuthenticatedUser | null>;

export interface KeyRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The raw header `x-api-key`. */
  key: string;
  access: Access;
}
/** Checks and counts a call with an API key. @throws RefusalError unless the call is allowed */
export type AdmitKey = (call: KeyRequest) => Promise<AuthenticatedUser>;

/** Responds to a call with a test key in place of the route. */
export type EnterSandbox = (request: FastifyRequest, reply: FastifyReply, user: AuthenticatedUser) => Promise<void>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the session or the API key. Only on routes behind `app.requireUser`; anywhere else reading it throws. */
    user: AuthenticatedUser;
    /** Null without a session, and before `requireUser` ran. */
    userIdOrNull: string | null;
  }
  interface FastifyInstance {
    /**
     * Hook that returns 401 unless the request has a session, or an API key where the route's declared access allows one:
     * `{ onRequest: app.requireUser }`.
     */
    requireUser: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

const known = new WeakMap<FastifyRequest, AuthenticatedUser>();

export function credentialsOf(request: FastifyRequest): Credentials {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return { authorization };
  return cookie === undefined ? {} : { cookie };
}

const rejectKeys: AdmitKey = () => Promise.reject(rejectionError('not_authenticated'));

const rejectTestKeys: EnterSandbox = () => Promise.reject(rejectionError('not_in_sandbox'));

/**
 * Adds `app.requireUser` and `request.user`. When an API key is sent, other credentials are ignored. Calls with a test key are passed to
 * the sandbox here, so that no route has to distinguish test keys from live keys.
 */
export function addRequireUser(
  app: App,
  identify: Identify,
  admitKey: AdmitKey = rejectKeys,
  enterSandbox: EnterSandbox = rejectTestKeys,
): void {
  async function admit(call: KeyRequest): Promise<void> {
    const { request, reply } = call;
    const user = await admitKey(call);
    known.set(request, user);
    const isSame = request.routeOptions.schema?.sandbox === 'same';
    if (user.testKey !== undefined && !isSame) await enterSandbox(request, reply, user);
  }

  app.decorateRequest('user', {
    getter(this: FastifyRequest): AuthenticatedUser {
      const user = known.get(this);
      if (user === undefined) throw new Error(`${this.url} reads request.user without requireUser`);
      return user;
    },
  });
  app.decorateRequest('userIdOrNull', {
    getter(this: FastifyRequest): string | null {
      return known.get(this)?.id ?? null;
    },
  });
  app.decorate('requireUser', async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers['x-api-key'];
    if (key !== undefined) {
      const access = request.routeOptions.schema?.access ?? 'session';
      await admit({ request, reply, key: String(key), access });
      return;
    }
    const user = await identify(credentialsOf(request), request.routeOptions.url);
    if (user === null) throw rejectionError('not_authenticated');
    // A page names its user with each change: the cookie may be of a user who signed in later in the same browser.
    const pageUserId = request.headers['x-user-id'];
    if (pageUserId !== undefined && pageUserId !== user.id)
      throw rejectionError('not_authenticated', 'Another user has signed in. Reload the page.');
    known.set(request, user);
  });
  // A public route needs no key, but a key that is sent is checked, counted and logged like anywhere else.
  app.addHook('onRequest', (request, reply, done) => {
    const key = request.headers['x-api-key'];
    if (key === undefined || request.routeOptions.schema?.access !== 'public') {
      done();
      return;
    }
    admit({ request, reply, key: String(key), access: 'public' }).then(() => done(), done);
  });
}
