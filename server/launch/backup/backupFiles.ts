import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { SystemUser } from '../postgres/systemUser.ts';
import { StartError } from '../startError.ts';

const manifestName = 'manifest.json';
const suffix = '.zst';

/** Stays below the folder it is restored to. */
const Path = z.string().refine((path) => !isAbsolute(path) && !path.split('/').includes('..'));

const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Version of Sextant, and major version of PostgreSQL, which must be the same to restore. */
  version: z.string(),
  postgresMajor: z.int(),
  /** Positions in the write-ahead log between which the files were read. */
  startLsn: z.string(),
  endLsn: z.string(),
  folders: z.array(Path),
  files: z.array(z.object({ path: Path, bytes: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpFile = Manifest['files'][number];

/** Passes bytes on and notes their number and hash. */
function createMeter() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Copies a file into a backup. Undefined when it is gone: a running PostgreSQL removes files. */
export async function storeFile(from: string, folder: string, path: string): Promise<BackedUpFile | undefined> {
  const target = join(folder, path + suffix);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const meter = createMeter();
  try {
    await pipeline(
      createReadStream(from),
      meter.stream,
      createZstdCompress(),
      createWriteStream(target, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { path, ...meter.result() };
}

/** Writes a text into a backup as if it had been a file. */
export async function storeText(text: string, folder: string, path: string): Promise<BackedUpFile> {
  const from = join(folder, `.${path.replaceAll('/', '.')}`);
  await writeFile(from, text, { mode: 0o600 });
  const stored = await storeFile(from, folder, path);
  if (stored === undefined) throw new Error(`${from} is gone`);
  await rm(from);
  return stored;
}

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });

/** @throws StartError when the folder has no backup that this version can read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined);
  if (text === undefined) throw new StartError(`${folder} has no backup: there is no ${manifestName}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new StartError(`${folder}/${manifestName} is damaged; use another backup`);
  }
  const parsed = Manifest.safeParse(json);
  if (!parsed.success)
    throw new StartError(`${folder}/${manifestName} is damaged or of another version; use another backup`);
  return parsed.data;
}

/** Writes a file of a backup. @throws StartError when it is not the file that was backed up */
export async function restoreFile(
  { path, bytes, sha256 }: BackedUpFile,
  folder: string,
  target: string,
  user: SystemUser | undefined,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const meter = createMeter();
  try {
    await pipeline(
      createReadStream(join(folder, path + suffix)),
      createZstdDecompress(),
      meter.stream,
      createWriteStream(target, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw error;
    throw new StartError(`the backup is damaged: ${path} cannot be read (${code || message}); use another backup`);
  }
  const result = meter.result();
  if (result.bytes !== bytes || result.sha256 !== sha256)
    throw new StartError(`the backup is damaged: ${path} has other bytes; use another backup`);
  if (user !== undefined) await chown(target, user.uid, user.gid);
}

/** Creates a folder that PostgreSQL accepts: only its user may enter. */
export async function makeFolder(path: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  if (user !== undefined) await chown(path, user.uid, user.gid);
}

export interface Listing {
  folders: string[];
  files: string[];
}

/** Folders and files below a folder, relative to it; nothing when there is none. Skips what `isSkipped` names. */
export async function listTree(root: string, isSkipped: (path: string) => boolean = () => false): Promise<Listing> {
  const listing: Listing = { folders: [], files: [] };
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isSkipped(path)) continue;
      if (entry.isDirectory()) {
        listing.folders.push(path);
        await visit(path);
      } else if (entry.isFile()) listing.files.push(path);
    }
  };
  await visit('');
  return listing;
}
