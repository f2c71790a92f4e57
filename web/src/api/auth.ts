import { api, dataOf } from './client.ts';
import type { User } from './types.ts';

export interface Credentials {
  email: string;
  password: string;
}

export async function fetchSession(): Promise<User | null> {
  const { user } = await dataOf(api.GET('/api/auth/session'));
  return user;
}

export async function signIn(credentials: Credentials): Promise<User | null> {
  const { user } = await dataOf(api.POST('/api/auth/signin', { body: credentials }));
  return user;
}

/** Creates the account. Where the server opens no session with it, the same credentials sign in at once (AUTH-011). */
export async function signUp(credentials: Credentials): Promise<User | null> {
  await dataOf(api.POST('/api/auth/signup', { body: credentials }));
  return (await fetchSession()) ?? signIn(credentials);
}

export async function signInToDemo(): Promise<User | null> {
  const { user } = await dataOf(api.POST('/api/auth/demo'));
  return user;
}

export async function signOut(): Promise<void> {
  await dataOf(api.POST('/api/auth/signout'));
}
