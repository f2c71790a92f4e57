import { api, dataOf } from './client.ts';
import { ApiFailure } from './failure.ts';
import type { User } from './types.ts';

interface Credentials {
  email: string;
  password: string;
}

/** The signed-in user, or what is still required: a code, or the link emailed to this address. */
export type SignInResult = { user: User } | { challenge: string } | { mailedTo: string };

/** Null once taken: requests since then are older than the next session response. */
let eventStart: string | null = '';

/**
 * Id after which the first stream of this page starts: data fetched after the session is at least that new, so nothing is fetched twice.
 * Empty when unknown, and for every later stream.
 */
export function takeEventStart(): string {
  const start = eventStart ?? '';
  eventStart = null;
  return start;
}

export const fetchSession = (): Promise<User | null> => readSession(null);

/** The signed-in user, or null. @param signal ends the read */
export async function readSession(signal: AbortSignal | null): Promise<User | null> {
  const { user, last_event_id: lastId } = await dataOf(api.GET('/api/auth/session', { signal }));
  if (eventStart !== null) eventStart = lastId ?? '';
  return user;
}

export async function signIn(credentials: Credentials): Promise<SignInResult> {
  return dataOf(api.POST('/api/auth/signin', { body: credentials }));
}

/**
 * Creates the account. Where the server opens no session with it, the same credentials sign in at once. Where the address must be confirmed
 * first, that sign-in is rejected, which is expected and not shown as an error.
 */
export async function signUp(credentials: Credentials): Promise<SignInResult> {
  const response = await dataOf(api.POST('/api/auth/signup', { body: credentials }));
  const user = await fetchSession();
  if (user !== null) return { user };
  try {
    return await signIn(credentials);
  } catch (failure) {
    const isRejected = failure instanceof ApiFailure && failure.code === 'invalid_credentials';
    if ('confirmation_sent' in response && isRejected) return { mailedTo: credentials.email };
    throw failure;
  }
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

export async function resetPassword(body: {
  token: string;
  password: string;
  revoke_api_keys: boolean;
}): Promise<void> {
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
