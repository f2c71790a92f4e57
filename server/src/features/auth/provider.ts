import type { Credentials } from '../../platform/auth/requireUser.ts';
import type { Outcome } from '../../platform/errors.ts';

export interface Account {
  id: string;
  email: string;
  createdAt: Date;
}

export interface Session {
  account: Account;
  expiresAt: Date;
  /** Set-Cookie lines that hand the session to a browser; empty when the browser has it already. */
  cookies: string[];
}

/** The session a request came with. */
export interface CurrentSession extends Session {
  id: string;
}

/** A session made just now, with the token an API client sends as Bearer. */
export interface NewSession extends Session {
  token: string;
}

/** From whom a request came, kept with the session it makes. */
export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/**
 * The operations the product needs of whoever knows its users. Ours is first-party (betterAuthProvider.ts); a hosted service
 * would implement the same.
 */
export interface AuthProvider {
  signUp: (email: string, password: string, client: Client) => Promise<Outcome<NewSession>>;
  signIn: (email: string, password: string, client: Client) => Promise<Outcome<NewSession>>;
  /** A session of the demo account, without any password. */
  enterDemo: (client: Client) => Promise<Outcome<NewSession>>;
  getSession: (credentials: Credentials) => Promise<CurrentSession | null>;
  /** Ends the session at once. Gives the Set-Cookie lines that make a browser forget it. */
  signOut: (credentials: Credentials) => Promise<string[]>;
  /** Forgets the sessions of a user in this process, once they were deleted. */
  forgetSessions: (userId: string) => void;
  /** Changes the password, ends every other session, and gives the caller a new one. */
  updateUser: (
    credentials: Credentials,
    change: { currentPassword: string; password: string },
    client: Client,
  ) => Promise<Outcome<NewSession>>;
}
