import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { refusalError } from '../http/refusalError.ts';

export interface AuthenticatedUser {
  id: string;
  email: string;
  sessionId: string;
}

/** How a request says who it is from. A Bearer token, when sent, is the only one looked at. */
export interface Credentials {
  authorization?: string;
  cookie?: string;
}

/** Finds the user of a request; null when the credentials are missing, wrong or expired. */
export type Identify = (credentials: Credentials) => Promise<AuthenticatedUser | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Only on routes behind `app.requireUser`; anywhere else reading it throws. */
    user: AuthenticatedUser;
  }
  interface FastifyInstance {
    /** Hook that answers 401 unless a user is signed in: `{ onRequest: app.requireUser }`. */
    requireUser: (request: FastifyRequest) => Promise<void>;
  }
}

const known = new WeakMap<FastifyRequest, AuthenticatedUser>();

export function credentialsOf(request: FastifyRequest): Credentials {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return { authorization };
  return cookie === undefined ? {} : { cookie };
}

/** Adds `app.requireUser` and `request.user`. */
export function addRequireUser(app: App, identify: Identify): void {
  app.decorateRequest('user', {
    getter(this: FastifyRequest): AuthenticatedUser {
      const user = known.get(this);
      if (user === undefined) throw new Error(`${this.url} reads request.user without requireUser`);
      return user;
    },
  });
  app.decorate('requireUser', async (request: FastifyRequest): Promise<void> => {
    const user = await identify(credentialsOf(request));
    if (user === null) throw refusalError('not_authenticated');
    known.set(request, user);
  });
}
