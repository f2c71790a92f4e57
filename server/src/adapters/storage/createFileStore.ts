import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStorage, type StorageAdapter } from '@flystorage/file-storage';
import { ok } from '@sextant/workers/src/core/result.ts';
import { LocalStorageAdapter } from '@flystorage/local-fs';
import type { FileStore } from '../../features/profile/files/port.ts';
import { reject } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { once } from '../../platform/once.ts';

async function writeWhole(temporary: string, contents: Readable): Promise<void> {
  const file = await open(temporary, 'wx', 0o600);
  try {
    for await (const chunk of contents) await file.writeFile(chunk as Buffer);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder so that a new file name survives a power loss. Windows cannot open a folder and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * The library's adapter with an atomic write: the original leaves a partial file on a full disk and overwrites existing files.
 * The temporary file is in the owner's folder, so it is deleted with that folder.
 */
class DiskAdapter extends LocalStorageAdapter {
  readonly #root: string;

  constructor(root: string) {
    super(root);
    this.#root = root;
  }

  override async write(path: string, contents: Readable): Promise<void> {
    const target = join(this.#root, path);
    const folder = dirname(target);
    const temporary = join(folder, `.${randomBytes(9).toString('hex')}.part`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(temporary, contents);
      // Not rename, which would overwrite.
      await link(temporary, target);
      await syncFolder(folder);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

export interface S3Options {
  bucket: string;
  region: string;
  /** For services other than Amazon S3. */
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}

const deadlineMs = 10_000;
const connectMs = 3000;

/** The first system or service error code in a chain of causes; empty when there is none. */
function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^E[A-Z]+$/.test(at.code)) return at.code;
    if (['NoSuchKey', 'NotFound'].includes(at.name)) return 'ENOENT';
    if (at.name === 'FileWasNotFound') return 'ENOENT';
  }
  return '';
}

const noRoom = new Set(['ENOSPC', 'EDQUOT']);

function unavailable(cause: unknown): RejectionError {
  return new RejectionError(
    { code: 'storage_unavailable', message: 'File storage is unavailable. Try again shortly.', retryAfterS: 5 },
    { cause },
  );
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}

function fileStore(openAdapter: () => Promise<StorageAdapter>, close: () => void): FileStore {
  const open = once(async () => new FileStorage(await openAdapter(), undefined, { timeout: { timeout: deadlineMs } }));
  return {
    write: async (path, bytes) => {
      try {
        const storage = await open();
        await storage.write(path, bytes, { mimeType: 'image/webp', size: bytes.length });
        return ok(undefined);
      } catch (error) {
        if (noRoom.has(reasonOf(error))) return reject('storage_full');
        throw unavailable(error);
      }
    },
    read: async (path) => {
      // Check first: once a stream is being sent, the response cannot become a 404.
      if (!(await orUnavailable(async () => (await open()).fileExists(path)))) return null;
      return orUnavailable(async () => (await open()).read(path));
    },
    remove: (path) => orUnavailable(async () => (await open()).deleteFile(path)),
    list: async (userId) => {
      try {
        const storage = await open();
        const entries = await storage.list(userId, { deep: true }).toArray();
        return entries.filter(({ isFile }) => isFile).map(({ path }) => path);
      } catch (error) {
        if (reasonOf(error) === 'ENOENT') return [];
        throw unavailable(error);
      }
    },
    close,
  };
}

/** Files in a local folder. Several servers must share the folder; otherwise use a bucket. */
export const createDiskStore = (root: string): FileStore =>
  fileStore(
    () => Promise.resolve(new DiskAdapter(root)),
    () => undefined,
  );

/** Files in an S3-compatible bucket. The client library is loaded at first use. */
export function createS3Store({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Options): FileStore {
  let client: { destroy: () => void } | undefined;
  const openAdapter = async () => {
    const [{ S3Client }, { AwsS3StorageAdapter }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@flystorage/aws-s3'),
    ]);
    const opened = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 2,
      requestHandler: { connectionTimeout: connectMs, requestTimeout: deadlineMs },
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    });
    client = opened;
    // IfNoneMatch: an existing file is never overwritten.
    return new AwsS3StorageAdapter(opened, { bucket, putObjectOptions: { IfNoneMatch: '*' } });
  };
  return fileStore(openAdapter, () => client?.destroy());
}
