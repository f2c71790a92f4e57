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
  /** Set-Cookie lines that hand the session to a browser; empty when the browser has it already. */
  cookies: string[];
}

/** A session made just now, with the token an API client sends as Bearer. */
export interface NewSession extends Session {
  token: string;
}

/** The password was correct and a second factor is required. The holder of the challenge may send the code. */
export interface Challenge {
  challenge: string;
}

/** From whom a request came, kept with the session it makes. */
export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** One of the sessions of an account, for its owner to look at. */
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
  /** The address of an e-mail change that waits for its confirmation. */
  pendingEmail: string | null;
}

/** Proof of identity: the password, or a code where two-factor is on. */
export type Proof = { password: string } | { code: string };

export interface TwoFactorSetup {
  /** base32, for typing by hand. */
  secret: string;
  /** For the QR code. */
  url: string;
}

/**
 * The operations the product needs from an identity provider. Ours is first-party (betterAuthProvider.ts); a hosted service
 * would implement the same.
 */
export interface AuthProvider {
  /** Loads what a sign-in needs, so that the first one does not wait for it. Rejects when it cannot be set up. */
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
  /** Ends the session at once. Gives the Set-Cookie lines that make a browser forget it. */
  signOut: (credentials: Credentials) => Promise<string[]>;
  /** Forgets the sessions of a user in this process, once they were deleted. */
  forgetSessions: (userId: string) => void;
  /** Changes the password, ends every other session, and gives the caller a new one. */
  updateUser: (
    user: AuthenticatedUser,
    change: { currentPassword: string; password: string; isRevokingKeys?: boolean },
    client: Client,
  ) => Promise<Outcome<NewSession>>;
  /** Sends a link to the new address; the account keeps the old one until it is used. */
  requestEmailChange: (user: AuthenticatedUser, email: string) => Promise<Outcome<null>>;
  confirmEmailChange: (token: string) => Promise<Outcome<{ email: string }>>;
  /** Does the same for every address, known or not. */
  requestReset: (email: string) => Promise<Outcome<null>>;
  /** Sets the password and ends every session, and every API key unless told otherwise. Gives the address of the account. */
  resetPassword: (
    change: { token: string; password: string; isRevokingKeys?: boolean },
    client: Client,
  ) => Promise<Outcome<{ email: string }>>;
  checkFresh: CheckFresh;
  /** Proves again who is there: sensitive acts are open to this session for the next minutes. */
  stepUp: (user: AuthenticatedUser, proof: Proof, client: Client) => Promise<Outcome<null>>;
  readSecurity: (user: AuthenticatedUser) => Promise<SecurityState>;
  /** A new secret that counts only once a code of it was given. */
  beginTwoFactor: (user: AuthenticatedUser) => Promise<Outcome<TwoFactorSetup>>;
  /** Turns two-factor on. The recovery codes are shown here and never again. */
  confirmTwoFactor: (user: AuthenticatedUser, code: string, client: Client) => Promise<Outcome<string[]>>;
  endTwoFactor: (user: AuthenticatedUser) => Promise<Outcome<null>>;
  renewRecoveryCodes: (user: AuthenticatedUser) => Promise<Outcome<string[]>>;
  listSessions: (user: AuthenticatedUser) => Promise<ListedSession[]>;
  endSession: (user: AuthenticatedUser, sessionId: string) => Promise<Outcome<null>>;
  endOtherSessions: (user: AuthenticatedUser) => Promise<Outcome<null>>;
}
