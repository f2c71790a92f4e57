import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Secrets } from '../../src/platform/secrets.ts';
import { withCluster } from './embeddedCluster.ts';
import { type BackedUpFile, listTree, type Manifest, storeFile, storeText, writeManifest } from './backupFiles.ts';
import { StartError } from '../startError.ts';

export interface BackUpOptions {
  dataDir: string;
  secrets: Secrets;
  /** Folder to make; it appears under this name once it is whole. */
  target: string;
  /** Version of Sextant. */
  version: string;
}

/** Files that PostgreSQL makes again, or that belong to the running server. The log is copied apart. */
const skippedFolders =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|(^|\/)pgsql_tmp|^(postmaster\.(pid|opts)|backup_label|tablespace_map|pg_internal\.init\..*)$/;
const controlFile = 'global/pg_control';
const segmentName = /^[0-9A-F]{24}$/;

/**
 * Copies the embedded database while it runs, as of one moment, with secrets and pictures. Nodes go on. @returns what was written
 */
export async function backUp({ dataDir, secrets, target, version }: BackUpOptions): Promise<Manifest> {
  if (!existsSync(join(dataDir, 'postgres/data')))
    throw new StartError(
      `DATA_DIR ${dataDir} has no embedded database; back up DATABASE_URL with its own tools (docs/operations.md)`,
    );
  if (existsSync(target)) throw new StartError(`${target} exists; name another folder`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const manifest = await withCluster({ dataDir, secrets }, (ownerUrl) =>
      copyAll({ dataDir, version, partial }, ownerUrl),
    );
    await writeManifest(partial, manifest);
    await rename(partial, target);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

interface Copy {
  dataDir: string;
  version: string;
  partial: string;
}

async function copyAll({ dataDir, version, partial }: Copy, ownerUrl: string): Promise<Manifest> {
  // One session from start to end: PostgreSQL ends the backup with it.
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'sextant backup', keepAlive: true });
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    // Keeps the log since now, however much is written meanwhile; ends with the session.
    await owner.query(`select pg_create_physical_replication_slot('sextant_backup_' || pg_backend_pid(), true, true)`);
    const started = await one<{ lsn: string; segment: string; major: number }>(
      owner,
      `select lsn::text, pg_walfile_name(lsn) as segment, current_setting('server_version_num')::int / 10000 as major
       from pg_backup_start('sextant', true) lsn`,
    );
    const root = join(dataDir, 'postgres/data');
    const tree = await listTree(root, (path) => skippedFolders.test(path));
    const files: BackedUpFile[] = [];
    const copy = async (from: string, path: string): Promise<void> => {
      const stored = await storeFile(from, partial, path);
      if (stored !== undefined) files.push(stored);
    };
    for (const path of tree.files) if (path !== controlFile) await copy(join(root, path), `postgres/${path}`);
    // Last: it must not be older than what it describes.
    await copy(join(root, controlFile), `postgres/${controlFile}`);
    const ended = await one<{ lsn: string; label: string; map: string; segment: string }>(
      owner,
      `select lsn::text, labelfile as label, spcmapfile as map, pg_walfile_name(lsn) as segment from pg_backup_stop(false)`,
    );
    if (ended.map.trim() !== '') throw new StartError('the database has tablespaces, which this backup does not copy');
    files.push(await storeText(ended.label, partial, 'postgres/backup_label'));
    for (const name of (await listTree(join(root, 'pg_wal'))).files)
      if (segmentName.test(name) && name >= started.segment && name <= ended.segment)
        await copy(join(root, 'pg_wal', name), `postgres/pg_wal/${name}`);
    await copyOutside(dataDir, copy);
    return {
      format: 1,
      madeAt: new Date().toISOString(),
      version,
      postgresMajor: started.major,
      startLsn: started.lsn,
      endLsn: ended.lsn,
      folders: tree.folders,
      files,
    };
  } finally {
    await owner.end().catch(() => undefined);
  }
}

/** Secrets, without which the database opens for no server, and pictures. After the database: a row never misses its picture. */
async function copyOutside(dataDir: string, copy: (from: string, path: string) => Promise<void>): Promise<void> {
  await copy(join(dataDir, 'secrets.json'), 'secrets.json');
  for (const path of (await listTree(join(dataDir, 'files'))).files)
    await copy(join(dataDir, 'files', path), `files/${path}`);
}

async function one<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row> {
  const [row] = (await client.query<Row>(text)).rows;
  if (row === undefined) throw new Error(`no row of: ${text}`);
  return row;
}
