import type { Outcome } from '../../platform/errors.ts';
import type { AuthProvider, Client, NewSession } from './provider.ts';

export interface DemoAccount {
  email: string;
  /** Made for this installation and kept beside its data. */
  password: string;
}

/** Signs into the demo account, which is made the first time somebody asks for it. */
export async function signInToDemo(
  auth: AuthProvider,
  { email, password }: DemoAccount,
  client: Client,
): Promise<Outcome<NewSession>> {
  const session = await auth.signIn(email, password, client);
  if (session.ok || session.refusal.code !== 'invalid_credentials') return session;
  const made = await auth.signUp(email, password, client);
  // Two visitors pressed the button at once and the other one was first.
  return !made.ok && made.refusal.code === 'email_taken' ? auth.signIn(email, password, client) : made;
}
