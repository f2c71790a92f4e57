import { ok } from '@sextant/workers/src/result.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';
import type { Profile } from './contract.ts';
import {
  deleteFileRow,
  FILE_BYTES_MAX,
  type FileKind,
  FILES_MAX,
  insertFile,
  listFiles,
  lockUsage,
} from './fileRepository.ts';
import { admitImage } from './files/image/admitImage.ts';
import type { Frame, Reencode } from './files/image/reencode.ts';
import type { FileStore } from './files/port.ts';
import { setPicture, usedPaths } from './repository.ts';

export interface PictureDeps {
  db: Db;
  files: FileStore;
  reencode: Reencode;
  nowMs: () => number;
}

/** Large enough for a sharp screen at the size it is shown in. */
const frames: Record<FileKind, Frame> = {
  avatar: { width: 512, height: 512 },
  cover: { width: 1500, height: 500 },
};

export const fileUrl = (id: string): string => `/api/files/${id}`;

/** Removes what the profile does not show any more: the bytes first, then the row that knows of them. */
async function tidy({ db, files }: PictureDeps, userId: string): Promise<void> {
  const left = await withUser(db, userId, async (tx) => {
    const used = await usedPaths(tx);
    return (await listFiles(tx)).filter(({ path }) => !used.has(path));
  });
  for (const { id, path } of left) {
    await files.remove(path);
    await withUser(db, userId, (tx) => deleteFileRow(tx, id));
  }
}

/** What cannot be removed now counts towards the quota and is tried again with the next picture. */
const tidyIfPossible = (deps: PictureDeps, userId: string): Promise<void> => tidy(deps, userId).catch(() => undefined);

/** Checks, encodes anew, stores and shows a picture. The one it replaces is deleted. */
export async function storePicture(
  deps: PictureDeps,
  userId: string,
  kind: FileKind,
  upload: Buffer,
): Promise<Outcome<Profile>> {
  const admitted = admitImage(upload);
  if (!admitted.ok) return admitted;
  const encoded = await deps.reencode(upload, frames[kind]);
  if (!encoded.ok) return encoded;
  const { bytes, width, height } = encoded.value;
  const path = `${userId}/${deps.nowMs()}.webp`;
  const written = await deps.files.write(path, bytes);
  if (!written.ok) return written;
  try {
    const outcome = await withUser(deps.db, userId, async (tx): Promise<Outcome<Profile>> => {
      const { fileCount, byteCount } = await lockUsage(tx);
      if (fileCount >= FILES_MAX || byteCount + bytes.length > FILE_BYTES_MAX) return refuse('quota_exceeded');
      const id = await insertFile(tx, userId, { kind, path, byteCount: bytes.length, width, height });
      return ok(await setPicture(tx, kind, fileUrl(id), path));
    });
    if (!outcome.ok) await deps.files.remove(path);
    await tidyIfPossible(deps, userId);
    return outcome;
  } catch (error) {
    await deps.files.remove(path).catch(() => undefined);
    throw error;
  }
}

/** Shows no picture any more and deletes its file. */
export async function removePicture(deps: PictureDeps, userId: string, kind: FileKind): Promise<Profile> {
  const profile = await withUser(deps.db, userId, (tx) => setPicture(tx, kind, null, null));
  await tidyIfPossible(deps, userId);
  return profile;
}
