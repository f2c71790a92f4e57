import type { CheckFresh } from '../../platform/auth/requireFresh.ts';
import type { AuthenticatedUser, Credentials } from '../../platform/auth/requireUser.ts';
import type { Outcome } from '../../platform/errors.ts';

export interface Account {
  id: string;
  email: string;
  createdAt: Date;
}

export interface Session {
  id: string;
  account: Account;
  expiresAt: Date;
  /** Set-Cookie lines for the session; empty when the browser already has it. */
  cookies: string[];
}

/** A new session, with the token an API client sends as Bearer. */
export interface NewSession extends Session {
  token: string;
}

/** The password is correct and a second factor is required. The holder of the challenge may send the code. */
export interface Challenge {
  challenge: string;
}

/** Client of a request, stored with the session it creates. */
export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** A session of an account, as listed to its owner. */
export interface ListedSession {
  id: string;
  userAgent: string | null;
  ip: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  isCurrent: boolean;
}

export interface SecurityState {
  hasPassword: boolean;
  hasTwoFactor: boolean;
  recoveryCodeCount: number;
  /** The unconfirmed address of a requested email change. */
  pendingEmail: string | null;
}

/** Proof of identity: the password, or a code where two-factor is on. */
export type Proof = { password: string } | { code: string };

export interface TwoFactorSetup {
  /** base32, for manual entry. */
  secret: string;
  /** For the QR code. */
  url: string;
}

/**
 * The operations the product needs from an identity provider. betterAuthProvider.ts is the first-party one; a hosted service would
 * implement the same interface.
 */
export interface AuthProvider {
  /** Preloads the sign-in dependencies, so that the first sign-in does not wait. Rejects when they cannot be set up. */
  load: () => Promise<void>;
  /** Null when the address must be confirmed first; the same whether it has an account or not. */
  signUp: (email: string, password: string, client: Client) => Promise<Outcome<NewSession | null>>;
  /** Confirms the address of a sign-up and signs in. */
  confirmSignUp: (token: string, password: string, client: Client) => Promise<Outcome<NewSession>>;
  signIn: (email: string, password: string, client: Client) => Promise<Outcome<NewSession | Challenge>>;
  /** The second step of a sign-in: a code of the authenticator or a recovery code. */
  finishSignIn: (challenge: string, code: string, client: Client) => Promise<Outcome<NewSession>>;
  /** A session of a new demo account, without any password. */
  enterDemo: (client: Client) => Promise<Outcome<NewSession>>;
  getSession: (credentials: Credentials) => Promise<Session | null>;
  /** Ends the session at once. Returns the Set-Cookie lines that delete it in a browser. */
  signOut: (credentials: Credentials) => Promise<string[]>;
  /** Drops the cached sessions of a user in this process, after their deletion. */
  forgetSessions: (userId: string) => void;
  /** Changes the password, ends every other session, and returns a new one for the caller. */
  updateUser: (
    user: AuthenticatedUser,
    change: { currentPassword: string; password: string; isRevokingKeys?: boolean },
    client: Client,
  ) => Promise<Outcome<NewSession>>;
  /** Sends a link to the new address; the account uses the old one until it is confirmed. */
  requestEmailChange: (user: AuthenticatedUser, email: string) => Promise<Outcome<null>>;
  confirmEmailChange: (token: string) => Promise<Outcome<{ email: string }>>;
  /** Behaves the same for every address, known or not. */
  requestReset: (email: string) => Promise<Outcome<null>>;
  /** Sets the password, ends all sessions and, by default, revokes all API keys. Returns the address of the account. */
  resetPassword: (
    change: { token: string; password: string; isRevokingKeys?: boolean },
    client: Client,
  ) => Promise<Outcome<{ email: string }>>;
  checkFresh: CheckFresh;
  /** Confirms the identity again and allows sensitive operations in this session for some minutes. */
  stepUp: (user: AuthenticatedUser, proof: Proof, client: Client) => Promise<Outcome<null>>;
  readSecurity: (user: AuthenticatedUser) => Promise<SecurityState>;
  /** A new secret, active only after a code of it is confirmed. */
  startTwoFactor: (user: AuthenticatedUser) => Promise<Outcome<TwoFactorSetup>>;
  /** Turns two-factor on. Only here are the recovery codes returned. */
  confirmTwoFactor: (user: AuthenticatedUser, code: string, client: Client) => Promise<Outcome<string[]>>;
  endTwoFactor: (user: AuthenticatedUser) => Promise<Outcome<null>>;
  renewRecoveryCodes: (user: AuthenticatedUser) => Promise<Outcome<string[]>>;
  listSessions: (user: AuthenticatedUser) => Promise<ListedSession[]>;
  endSession: (user: AuthenticatedUser, sessionId: string) => Promise<Outcome<null>>;
  endOtherSessions: (user: AuthenticatedUser) => Promise<Outcome<null>>;
}
