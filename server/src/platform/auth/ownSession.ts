import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedUser, Credentials } from './requireUser.ts';

/** A session of this process with itself, for probes that call the API over its own port. */
export interface OwnSession {
  /** Header of such a call. The token is made at the start and leaves the process only on the loopback interface. */
  authorization: string;
  identify: (credentials: Credentials) => AuthenticatedUser | null;
}

/** Of no account: row-level security shows it nothing, and what it would write refers to a user that does not exist. */
const nobody: AuthenticatedUser = { id: '00000000-0000-0000-0000-000000000000', email: '', sessionId: '' };

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createOwnSession(): OwnSession {
  const authorization = `Bearer own_${randomBytes(32).toString('base64url')}`;
  const digest = digestOf(authorization);
  return {
    authorization,
    identify({ authorization: given }) {
      // Other tokens are not hashed: every request passes here.
      if (given === undefined || given.length !== authorization.length) return null;
      return timingSafeEqual(digestOf(given), digest) ? nobody : null;
    },
  };
}
