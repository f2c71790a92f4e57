import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

export type FileKind = 'avatar' | 'cover';

export interface NewFile {
  kind: FileKind;
  path: string;
  byteCount: number;
  width: number;
  height: number;
}

export interface Usage {
  fileCount: number;
  byteCount: number;
}

/** Storage use of a user. Locks the profile, so that concurrent uploads count each other. */
export async function lockUsage(tx: UserTx): Promise<Usage> {
  await tx.selectFrom('profiles').select('user_id').forUpdate().executeTakeFirst();
  const rows = await tx.selectFrom('stored_files').select('byte_count').execute();
  return { fileCount: rows.length, byteCount: rows.reduce((sum, row) => sum + row.byte_count, 0) };
}

export async function insertFile(tx: UserTx, userId: string, file: NewFile): Promise<string> {
  const { kind, path, byteCount, width, height } = file;
  const row = { user_id: userId, kind, path, media_type: 'image/webp', byte_count: byteCount, width, height };
  return (await tx.insertInto('stored_files').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export const listFiles = (tx: UserTx) =>
  tx.selectFrom('stored_files').selectAll().orderBy('created_at').orderBy('id').execute();

export async function deleteFileRow(tx: UserTx, id: string): Promise<void> {
  await tx.deleteFrom('stored_files').where('id', '=', id).execute();
}

export interface ServedFile {
  path: string;
  mediaType: string;
  byteCount: number;
  userId: string;
  /** The profile is public and its account is not being deleted. */
  isPublic: boolean;
}

export async function findServedFile(tx: SystemTx, id: string): Promise<ServedFile | undefined> {
  const row = await tx
    .selectFrom('stored_files as f')
    .leftJoin('privacy_settings as p', 'p.user_id', 'f.user_id')
    .select(['f.path', 'f.media_type', 'f.byte_count', 'f.user_id'])
    .select(
      sql<boolean>`coalesce(p.public_stats, false)
        and not exists (select from deletion_requests d where d.user_id = f.user_id)`.as('is_public'),
    )
    .where('f.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { path, media_type: mediaType, byte_count: byteCount, user_id: userId } = row;
  return { path, mediaType, byteCount, userId, isPublic: row.is_public };
}
