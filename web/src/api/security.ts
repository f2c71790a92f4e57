import { api, dataOf } from './client.ts';
import type { User } from './types.ts';

export const fetchSecurity = (signal: AbortSignal) => dataOf(api.GET('/api/account/security', { signal }));
export const fetchSessions = async (signal: AbortSignal) =>
  (await dataOf(api.GET('/api/auth/sessions', { signal }))).sessions;
export const fetchUsername = async (signal: AbortSignal) =>
  (await dataOf(api.GET('/api/account/username', { signal }))).username;

export async function updateUsername(username: string): Promise<string | null> {
  return (await dataOf(api.POST('/api/account/username', { body: { username } }))).username;
}

export async function requestEmailChange(email: string): Promise<void> {
  await dataOf(api.POST('/api/auth/email', { body: { email } }));
}

/** Every other session ends; this browser gets a new one with the answer. */
export async function updatePassword(body: { current_password: string; password: string }): Promise<User> {
  return (await dataOf(api.PATCH('/api/auth/user', { body }))).user;
}

export const beginTwoFactor = () => dataOf(api.POST('/api/auth/two-factor'));
export const confirmTwoFactor = async (code: string): Promise<string[]> =>
  (await dataOf(api.POST('/api/auth/two-factor/confirm', { body: { code } }))).recovery_codes;
export const renewRecoveryCodes = async (): Promise<string[]> =>
  (await dataOf(api.POST('/api/auth/two-factor/recovery-codes'))).recovery_codes;
export const endTwoFactor = () => dataOf(api.DELETE('/api/auth/two-factor'));

export const endSession = (id: string) => dataOf(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
export const endOtherSessions = () => dataOf(api.DELETE('/api/auth/sessions'));
