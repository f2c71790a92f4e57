import { api, dataOf } from './client.ts';
import type { User } from './types.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Who is in now, or what is still asked for. */
export type SignInResult = { user: User } | { challenge: string };

export async function fetchSession(): Promise<User | null> {
  const { user } = await dataOf(api.GET('/api/auth/session'));
  return user;
}

export async function signIn(credentials: Credentials): Promise<SignInResult> {
  return dataOf(api.POST('/api/auth/signin', { body: credentials }));
}

/** Creates the account. Where the server opens no session with it, the same credentials sign in at once. */
export async function signUp(credentials: Credentials): Promise<SignInResult> {
  await dataOf(api.POST('/api/auth/signup', { body: credentials }));
  const user = await fetchSession();
  return user === null ? signIn(credentials) : { user };
}

/** The second step: a code of the authenticator, or a recovery code. */
export async function finishSignIn(body: { challenge: string; code: string }): Promise<SignInResult> {
  return dataOf(api.POST('/api/auth/second-factor', { body }));
}

export async function signInToDemo(): Promise<SignInResult> {
  return dataOf(api.POST('/api/auth/demo'));
}

export async function signOut(): Promise<void> {
  await dataOf(api.POST('/api/auth/signout'));
}

export async function stepUp(proof: { password: string } | { code: string }): Promise<void> {
  await dataOf(api.POST('/api/auth/step-up', { body: proof }));
}

export async function requestReset(email: string): Promise<void> {
  await dataOf(api.POST('/api/auth/reset-request', { body: { email } }));
}

export async function resetPassword(body: { token: string; password: string }): Promise<void> {
  await dataOf(api.POST('/api/auth/reset', { body }));
}

export async function confirmSignUp(body: { token: string; password: string }): Promise<User> {
  const { user } = await dataOf(api.POST('/api/auth/confirm', { body }));
  return user;
}

export async function confirmNewEmail(token: string): Promise<string> {
  const { email } = await dataOf(api.POST('/api/auth/email/confirm', { body: { token } }));
  return email;
}
