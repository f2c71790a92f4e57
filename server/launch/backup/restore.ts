import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { readSecrets } from '../../src/platform/secrets.ts';
import { readPostgresMajor } from '../postgres/binaries.ts';
import { findSystemUser } from '../postgres/systemUser.ts';
import { StartError } from '../startError.ts';
import { makeFolder, type Manifest, readManifest, restoreFile } from './backupFiles.ts';
import { isInUse, withCluster } from './embeddedCluster.ts';

export interface Restored {
  manifest: Manifest;
  users: number;
  ledgerEntries: number;
  /** Where the files that were in the way are now. */
  movedTo: string[];
}

const parts = ['postgres/data', 'secrets.json', 'files'] as const;

/**
 * Puts a backup of the embedded database in place: files are verified by their hashes before anything is replaced, what was there is moved
 * aside, and the database must start and its ledger add up. Otherwise the earlier files come back.
 */
export async function restore(dataDir: string, source: string): Promise<Restored> {
  const manifest = await readManifest(source);
  const major = await readPostgresMajor();
  if (manifest.postgresMajor !== major)
    throw new StartError(
      `the backup is of PostgreSQL ${manifest.postgresMajor}, this version has ${major}; restore it with Sextant ${manifest.version}`,
    );
  if (await isInUse(dataDir, await readSecrets(dataDir).catch(() => undefined)))
    throw new StartError(`DATA_DIR ${dataDir} is in use; stop Sextant before you restore`);
  const mark = `${manifest.madeAt.replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
  const staged = join(dataDir, `postgres/restore-${mark}`);
  await unpack(source, manifest, staged).catch(async (error: unknown) => {
    await rm(staged, { recursive: true, force: true });
    throw error;
  });
  const done: Replaced = { moved: [], cleared: [] };
  try {
    for (const part of parts) await replace(join(dataDir, part), join(staged, part), mark, done);
    const counts = await check(dataDir);
    return { manifest, ...counts, movedTo: done.moved.map((path) => `${path}.before-${mark}`) };
  } catch (error) {
    for (const part of parts.toReversed()) await putBack(join(dataDir, part), mark, done);
    throw error;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

async function unpack(source: string, { folders, files }: Manifest, staged: string): Promise<void> {
  const user = await findSystemUser();
  await makeFolder(join(staged, '..'), user);
  await makeFolder(staged, undefined);
  const data = join(staged, 'postgres/data');
  await makeFolder(join(staged, 'postgres'), undefined);
  for (const path of ['', ...folders, 'pg_wal']) await makeFolder(join(data, path), user);
  for (const file of files) {
    const isData = file.path.startsWith('postgres/');
    const path = isData ? `postgres/data/${file.path.slice('postgres/'.length)}` : file.path;
    await restoreFile(file, source, join(staged, path), isData ? user : undefined);
  }
}

interface Replaced {
  /** Paths whose files of before were moved aside. */
  moved: string[];
  /** Paths that hold nothing of before. */
  cleared: string[];
}

/** Moves what is at `target` aside and the restored part there. A part that the backup lacks leaves nothing behind. */
async function replace(target: string, from: string, mark: string, { moved, cleared }: Replaced): Promise<void> {
  if (existsSync(target)) {
    await rename(target, `${target}.before-${mark}`);
    moved.push(target);
  }
  cleared.push(target);
  if (existsSync(from)) await rename(from, target);
}

/** Undoes `replace`. Where that did not get, the files of before are still in place. */
async function putBack(target: string, mark: string, { moved, cleared }: Replaced): Promise<void> {
  if (!cleared.includes(target)) return;
  await rm(target, { recursive: true, force: true });
  if (moved.includes(target)) await rename(`${target}.before-${mark}`, target);
}

/** Starts the restored database, which replays its log, and adds up the ledger. */
async function check(dataDir: string): Promise<{ users: number; ledgerEntries: number }> {
  const secrets = await readSecrets(dataDir);
  return withCluster({ dataDir, secrets }, async (ownerUrl) => {
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    try {
      const { rows } = await owner.query<{ users: number; entries: number; wrong: number }>(`
        select (select count(*)::int from users) as users, (select count(*)::int from credit_ledger) as entries,
          (select count(*)::int from balances b
           full join (select user_id, sum(delta_credits) as credits from credit_ledger group by user_id) s using (user_id)
           where coalesce(b.credits, 0) <> coalesce(s.credits, 0)) as wrong`);
      const { users = 0, entries = 0, wrong = 0 } = rows[0] ?? {};
      if (wrong > 0)
        throw new StartError(`the ledger of the backup does not add up for ${wrong} accounts; use another backup`);
      return { users, ledgerEntries: entries };
    } finally {
      await owner.end();
    }
  });
}

/** Names of the backups of a folder, newest first. */
export const describeBackups = async (folder: string, names: readonly string[]): Promise<string[]> => {
  const lines: string[] = [];
  for (const name of names.toSorted().toReversed()) {
    const text = await readFile(join(folder, name, 'manifest.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) lines.push(join(folder, name));
  }
  return lines;
};
