import { join } from 'node:path';
import pg from 'pg';
import type { Secrets } from '../../src/platform/secrets.ts';
import { embeddedName, launcherLock } from '../embeddedDatabase.ts';
import { isAlive, readPostmaster } from '../postgres/postmaster.ts';
import { startCluster } from '../postgres/cluster.ts';

export interface EmbeddedPlace {
  dataDir: string;
  secrets: Pick<Secrets, 'databasePassword'>;
}

/** How the embedded cluster of a folder is opened. */
export const optionsOf = ({ dataDir, secrets }: EmbeddedPlace) => ({
  home: join(dataDir, 'postgres'),
  password: secrets.databasePassword,
  database: embeddedName,
});

/** Whether a launcher holds the database. */
async function isHeld(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [
      launcherLock,
    ]);
    return rows[0]?.isFree !== true;
  } finally {
    await client.end();
  }
}

async function isRunning(dataDir: string): Promise<boolean> {
  const left = await readPostmaster(join(dataDir, 'postgres/data'));
  return left !== undefined && isAlive(left.pid);
}

/** Runs work on the embedded database, which is started for it unless it runs, and stopped unless a launcher uses it. */
export async function withCluster<T>(place: EmbeddedPlace, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const cluster = await startCluster(optionsOf(place));
  try {
    return await work(cluster.ownerUrl);
  } finally {
    if (!(await isHeld(cluster.ownerUrl).catch(() => false))) await cluster.stop();
  }
}

/**
 * Whether a Sextant runs on this data folder. A database that a killed one left running is stopped.
 * @param secrets undefined when they are lost or damaged
 */
export async function isInUse(dataDir: string, secrets: EmbeddedPlace['secrets'] | undefined): Promise<boolean> {
  if (!(await isRunning(dataDir))) return false;
  if (secrets === undefined) return true;
  // One that cannot start is not in use: it is being replaced.
  const cluster = await startCluster(optionsOf({ dataDir, secrets })).catch(() => undefined);
  if (cluster === undefined) return false;
  if (await isHeld(cluster.ownerUrl)) return true;
  await cluster.stop();
  return false;
}
