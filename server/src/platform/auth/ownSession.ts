import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedUser, Credentials } from './requireUser.ts';

/** The one route it opens. */
const ROUTE = '/api/futures-signal';

/** A session of this process with itself, for the probe that asks for a signal over its own port. */
export interface OwnSession {
  /** Header of such a call. The token is made at the start and leaves the process only on the loopback interface. */
  authorization: string;
  /** @param route the path that was declared for the request */
  identify: (credentials: Credentials, route: string | undefined) => AuthenticatedUser | null;
}

/** No account has this id, so row-level security shows it nothing. */
const ownUser: AuthenticatedUser = { id: '00000000-0000-0000-0000-000000000000', email: '', sessionId: '' };

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createOwnSession(): OwnSession {
  const authorization = `Bearer own_${randomBytes(32).toString('base64url')}`;
  const digest = digestOf(authorization);
  return {
    authorization,
    identify({ authorization: given }, route) {
      // Tokens of other lengths are not hashed.
      if (route !== ROUTE || given?.length !== authorization.length) return null;
      return timingSafeEqual(digestOf(given), digest) ? ownUser : null;
    },
  };
}
