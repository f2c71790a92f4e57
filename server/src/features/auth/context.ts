import type { Db } from '../../platform/db/scope.ts';
import type { Gate } from '../../platform/limits/gate.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import type { Seal } from '../../platform/seal.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { createAuth } from './betterAuthSetup.ts';
import type { Session } from './provider.ts';
import type { WelcomeHash } from './welcomeOnce.ts';
import type { Passwords } from './passwordHash.ts';
import type { SessionCache } from './sessionCache.ts';

/** Shared dependencies of the account operations. */
export interface AuthContext {
  /** Creates, reads and ends sessions. Loaded at the first call. */
  loadAuth: () => ReturnType<typeof createAuth>;
  db: Db;
  cache: SessionCache<Session>;
  limiter: RateLimiter;
  /** Limits concurrent password hashes. */
  passwordGate: Gate;
  passwords: Passwords;
  /** Hash that matches no password: checking an unknown address takes as long as a known one. */
  hashOfUnknownUser: Promise<string>;
  seal: Seal;
  welcomeHashOf: WelcomeHash;
  outbox: Outbox;
  /** Origin of the links in emails. */
  baseUrl: string;
  isSignUpConfirmed: boolean;
  /** Drops the cached keys of a user in this process at once; other nodes get a database notification. */
  forgetKeys: (userId: string) => void;
  nowMs: () => number;
}
