import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { refusalError } from '../http/refusalError.ts';
import type { Access } from './access.ts';

export interface AuthenticatedUser {
  id: string;
  email: string;
  /** Empty for a call with an API key, which reaches no route that reads it. */
  sessionId: string;
  /** The API key of the call; undefined for a session. */
  apiKeyId?: string;
  /** Set for a call with a test key: all that the sandbox may know of the key and its owner, as `whoami` tells it. */
  testKey?: { whoAmI: object };
}

/** How a request says who it is from. A Bearer token, when sent, is the only one looked at. */
export interface Credentials {
  authorization?: string;
  cookie?: string;
}

/** Finds the user of a request; null when the credentials are missing, wrong or expired. */
export type Identify = (credentials: Credentials, route: string | undefined) => Promise<AuthenticatedUser | null>;

export interface KeyRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The header `x-api-key` as it was sent. */
  key: string;
  access: Access;
}
/** Judges a call with an API key and counts it. Throws a RefusalError unless it may go on. */
export type AdmitKey = (call: KeyRequest) => Promise<AuthenticatedUser>;

/** Answers a call with a test key in place of the route. */
export type EnterSandbox = (request: FastifyRequest, reply: FastifyReply, user: AuthenticatedUser) => Promise<void>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the session or the API key. Only on routes behind `app.requireUser`; anywhere else reading it throws. */
    user: AuthenticatedUser;
  }
  interface FastifyInstance {
    /**
     * Hook that answers 401 unless the request carries a session, or an API key where the route's declared access takes one:
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

const refuseKeys: AdmitKey = () => Promise.reject(refusalError('not_authenticated'));

const refuseTestKeys: EnterSandbox = () => Promise.reject(refusalError('not_in_sandbox'));

/**
 * Adds `app.requireUser` and `request.user`. An API key, when sent, is the only credential looked at. A call with a test key leaves
 * here for the sandbox, so that no route has to tell the two kinds of keys apart.
 */
export function addRequireUser(
  app: App,
  identify: Identify,
  admitKey: AdmitKey = refuseKeys,
  enterSandbox: EnterSandbox = refuseTestKeys,
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
  app.decorate('requireUser', async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = request.headers['x-api-key'];
    if (key !== undefined) {
      const access = request.routeOptions.schema?.access ?? 'session';
      await admit({ request, reply, key: String(key), access });
      return;
    }
    const user = await identify(credentialsOf(request), request.routeOptions.url);
    if (user === null) throw refusalError('not_authenticated');
    known.set(request, user);
  });
  // A public route needs no key, but a key that is sent is judged, counted and logged like anywhere else.
  app.addHook('onRequest', (request, reply, done) => {
    const key = request.headers['x-api-key'];
    if (key === undefined || request.routeOptions.schema?.access !== 'public') {
      done();
      return;
    }
    admit({ request, reply, key: String(key), access: 'public' }).then(() => done(), done);
  });
}
