import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError } from '../config.ts';

const writableByOthers = 0o022;

/** Why this folder must not hold secrets; undefined when it may. */
async function objection(dataDir: string): Promise<string | undefined> {
  // Not stat: the owner of a link can change its target later.
  const result = await lstat(dataDir);
  if (result.isSymbolicLink()) return 'is a link; set DATA_DIR to the folder it points to';
  if (!result.isDirectory()) return 'is not a folder; set DATA_DIR to one';
  const uid = process.getuid?.();
  // Windows has no POSIX owners and modes.
  if (uid === undefined) return undefined;
  if (result.uid !== uid) return 'belongs to another user; set DATA_DIR to your own folder';
  if ((result.mode & writableByOthers) !== 0) {
    return 'is writable by other users; check its files, then run chmod 700 on it';
  }
  return undefined;
}

/**
 * Creates the data folder or checks that only we can write to an existing one, restricts its mode to the owner, and test-writes into it.
 * @returns its absolute path
 * @throws ConfigError that says what to do
 */
export async function prepareDataDir(path: string): Promise<string> {
  const dataDir = resolve(path);
  const probe = join(dataDir, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const reason = await objection(dataDir);
    if (reason !== undefined) throw new ConfigError(`DATA_DIR ${dataDir} ${reason}`);
    await chmod(dataDir, 0o700);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? await objection(dataDir).catch(() => undefined) : undefined;
    throw new ConfigError(
      `DATA_DIR ${dataDir} ${reason ?? `cannot be written (${code ?? 'unknown error'}); make it writable or set DATA_DIR`}`,
    );
  }
  return dataDir;
}
