import { api, dataOf } from './client.ts';
import type { Deletion, DeletionState, Privacy } from './types.ts';

export const fetchPrivacy = (): Promise<Privacy> => dataOf(api.GET('/api/account/privacy'));
export const savePrivacy = (change: Partial<Privacy>): Promise<Privacy> =>
  dataOf(api.PUT('/api/account/privacy', { body: change }));

/** How long the product took to load here. */
export const reportLoad = (responseTime: number) =>
  dataOf(api.POST('/api/health/log', { body: { status: 'ok', responseTime } }));

export const fetchDeletion = (): Promise<DeletionState> => dataOf(api.GET('/api/account/deletion'));
export const requestDeletion = (body: Deletion): Promise<DeletionState> =>
  dataOf(api.POST('/api/account/deletion', { body }));
export const cancelDeletion = (): Promise<DeletionState> => dataOf(api.DELETE('/api/account/deletion'));

export interface ExportedFile {
  path: string;
  url: string;
}

export interface Exported {
  text: string;
  files: ExportedFile[];
}

/**
 * Everything the product holds about the user. Parsed once before it is handed on: a document that was cut on its way must not
 * be taken for a whole one.
 */
export async function fetchExport(): Promise<Exported> {
  const text = await dataOf(api.GET('/api/account/export', { parseAs: 'text' }));
  const { files } = JSON.parse(text) as { files: ExportedFile[] };
  return { text, files };
}
