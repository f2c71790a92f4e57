import type { Credentials } from '../../platform/auth/requireUser.ts';
import type { Db } from '../../platform/db/scope.ts';
import type { Gate } from '../../platform/limits/gate.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { once } from '../../platform/once.ts';
import { createSeal } from '../../platform/seal.ts';
import type { Outbox } from '../mail/outbox.ts';
import { type BetterAuthSetup, createAuth, sessionCookie } from './betterAuthSetup.ts';
import type { AuthContext } from './context.ts';
import { confirmEmailChange, requestEmailChange } from './emailOperations.ts';
import { checkFresh, stepUp } from './freshness.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { changePassword, prepareReset, requestReset, resetChore, resetPassword } from './passwordOperations.ts';
import { argon2id, type Passwords } from './passwordHash.ts';
import type { AuthProvider, Session } from './provider.ts';
import { createSessionCache } from './sessionCache.ts';
import * as sessionWork from './sessionOperations.ts';
import * as signInWork from './signInOperations.ts';
import * as twoFactorWork from './twoFactorOperations.ts';
import { createWelcomeHash } from './welcomeOnce.ts';

/** Maximum delay before a session ended on another node is rejected here: sessions end within a second everywhere. */
const cachedMs = 800;

export interface BetterAuthOptions extends BetterAuthSetup {
  db: Db;
  /** Limits concurrent password hashes. */
  passwordGate: Gate;
  /** argon2id unless set. */
  passwords?: Passwords | undefined;
  limiter: RateLimiter;
  outbox: Outbox;
  isSignUpConfirmed: boolean;
  forgetKeys: AuthContext['forgetKeys'];
}

const keyOf = ({ authorization, cookie }: Credentials): string =>
  authorization === undefined ? `cookie ${cookie ?? ''}` : `bearer ${authorization}`;

function createContext({
  passwordGate,
  passwords = argon2id,
  db,
  limiter,
  outbox,
  isSignUpConfirmed,
  forgetKeys,
  ...setup
}: BetterAuthOptions): AuthContext {
  const context: AuthContext = {
    loadAuth: once(() => createAuth(setup)),
    db,
    cache: createSessionCache<Session>({ freshMs: cachedMs, entriesMax: 10_000, nowMs: Date.now }),
    limiter,
    passwordGate,
    passwords,
    hashOfUnknownUser: passwords.hash(crypto.randomUUID()),
    seal: createSeal(setup.secret, 'two-factor'),
    welcomeHashOf: createWelcomeHash(setup.secret),
    outbox,
    baseUrl: setup.baseUrl,
    isSignUpConfirmed,
    forgetKeys,
    nowMs: Date.now,
  };
  outbox.onChore(resetChore, (tx, email) => prepareReset(context, tx, email));
  return context;
}

/** Account operations: sessions by better-auth, all proofs before a session by our code (docs/adr/0008). */
export function createBetterAuthProvider(options: BetterAuthOptions): AuthProvider {
  const context = createContext(options);
  const { passwordGate, cache } = context;
  return {
    load: async () => void (await context.loadAuth()),
    signUp: (...given) => passwordGate.run(() => signInWork.signUp(context, ...given), clientKey(given[2].ip)),
    confirmSignUp: (...given) =>
      passwordGate.run(() => signInWork.confirmSignUp(context, ...given), clientKey(given[2].ip)),
    signIn: (...given) => passwordGate.run(() => signInWork.signIn(context, ...given), clientKey(given[2].ip)),
    finishSignIn: (...given) => signInWork.finishSignIn(context, ...given),
    enterDemo: (client) => sessionWork.enterDemo(context, client),
    signOut: (credentials) => sessionWork.signOut(context, credentials),
    forgetSessions: (userId) => cache.endUser(userId),
    getSession: async (credentials) => {
      if (credentials.authorization === undefined && !sessionCookie.test(credentials.cookie ?? '')) return null;
      return cache.get(keyOf(credentials), () => sessionWork.loadSession(context, credentials));
    },
    updateUser: (...given) => passwordGate.run(() => changePassword(context, ...given), clientKey(given[2].ip)),
    requestEmailChange: (...given) => requestEmailChange(context, ...given),
    confirmEmailChange: (token) => confirmEmailChange(context, token),
    requestReset: (email) => requestReset(context, email),
    resetPassword: (...given) => passwordGate.run(() => resetPassword(context, ...given), clientKey(given[1].ip)),
    checkFresh: (user) => checkFresh(context, user),
    stepUp: (...given) => stepUp(context, ...given),
    readSecurity: (user) => twoFactorWork.readSecurity(context, user),
    startTwoFactor: (user) => twoFactorWork.startTwoFactor(context, user),
    confirmTwoFactor: (...given) => twoFactorWork.confirmTwoFactor(context, ...given),
    endTwoFactor: (user) => twoFactorWork.endTwoFactor(context, user),
    renewRecoveryCodes: (user) => twoFactorWork.renewRecoveryCodes(context, user),
    listSessions: (user) => sessionWork.listSessions(context, user),
    endSession: (...given) => sessionWork.endSession(context, ...given),
    endOtherSessions: (user) => sessionWork.endOtherSessions(context, user),
  };
}
