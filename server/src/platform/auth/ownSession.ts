import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedUser, Credentials } from './requireUser.ts';

/** The only route this session may call. */
const ROUTE = '/api/futures-signal';

/** Session of the process with itself, for the health probe that requests a signal over its own port. */
export interface OwnSession {
  /** Authorization header of such a call. The token is created at start and leaves the process only on the loopback interface. */
  authorization: string;
  /** @param route declared path of the request */
  identify: (credentials: Credentials, route: string | undefined) => AuthenticatedUser | null;
}

/** No account has this id, so row-level security returns no rows. */
const ownUser: AuthenticatedUser = { id: '00000000-0000-0000-0000-000000000000', email: '', sessionId: '' };

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createOwnSession(): OwnSession {
  const authorization = `Bearer own_${randomBytes(32).toString('base64url')}`;
  const digest = digestOf(authorization);
  return {
    authorization,
    identify({ authorization: given }, route) {
      // Skip hashing tokens of another length.
      if (route !== ROUTE || given?.length !== authorization.length) return null;
      return timingSafeEqual(digestOf(given), digest) ? ownUser : null;
    },
  };
}
