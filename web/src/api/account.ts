import { api, dataOf } from './client.ts';
import type { Deletion, DeletionState, Privacy, User } from './types.ts';

export const fetchPrivacy = (): Promise<Privacy> => dataOf(api.GET('/api/account/privacy'));
export const savePrivacy = (change: Partial<Privacy>): Promise<Privacy> =>
  dataOf(api.PUT('/api/account/privacy', { body: change }));

/** Load time of the product in this browser. */
export const reportLoad = (responseTime: number) =>
  dataOf(api.POST('/api/health/log', { body: { status: 'ok', responseTime } }));

export const fetchDeletion = (): Promise<DeletionState> => dataOf(api.GET('/api/account/deletion'));
export const requestDeletion = (body: Deletion): Promise<DeletionState> =>
  dataOf(api.POST('/api/account/deletion', { body }));
export const cancelDeletion = (): Promise<DeletionState> => dataOf(api.DELETE('/api/account/deletion'));

interface ExportedFile {
  path: string;
  url: string;
}

interface Exported {
  text: string;
  files: ExportedFile[];
}

/** All data of the user. Parsed once before it is passed on: a truncated document must not count as complete. */
export async function fetchExport(): Promise<Exported> {
  const text = await dataOf(api.GET('/api/account/export', { parseAs: 'text' }));
  const { files } = JSON.parse(text) as { files: ExportedFile[] };
  return { text, files };
}

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

/** Ends every other session; the response sets a new session for this browser. */
export async function updatePassword(body: {
  current_password: string;
  password: string;
  revoke_api_keys: boolean;
}): Promise<User> {
  return (await dataOf(api.PATCH('/api/auth/user', { body }))).user;
}

export const startTwoFactor = () => dataOf(api.POST('/api/auth/two-factor'));
export const confirmTwoFactor = async (code: string): Promise<string[]> =>
  (await dataOf(api.POST('/api/auth/two-factor/confirm', { body: { code } }))).recovery_codes;
export const renewRecoveryCodes = async (): Promise<string[]> =>
  (await dataOf(api.POST('/api/auth/two-factor/recovery-codes'))).recovery_codes;
export const endTwoFactor = () => dataOf(api.DELETE('/api/auth/two-factor'));

export const endSession = (id: string) => dataOf(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
export const endOtherSessions = () => dataOf(api.DELETE('/api/auth/sessions'));
