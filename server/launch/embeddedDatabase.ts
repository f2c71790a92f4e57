import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, type ClusterOptions, startCluster } from './postgres/cluster.ts';
import { pause } from './postgres/postmaster.ts';
import { StartError } from './startError.ts';

export interface EmbeddedDatabase {
  ownerUrl: string;
  port: number;
  stop: () => Promise<void>;
}

/** Advisory lock of the launcher that uses the data folder. */
export const launcherLock = 7_345_217;
export const embeddedName = 'sextant';
const lockAttempts = 40;
const lockPauseMs = 150;

/**
 * A session that locks the data folder for this launcher. It ends with the process, so a killed launcher leaves no lock; `onLost` is
 * called when the database goes away.
 */
async function holdLock(ownerUrl: string, onLost: () => void): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'sextant launcher', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  for (let attempt = 0; attempt < lockAttempts; attempt += 1) {
    const { rows } = await client.query<{ isHeld: boolean }>('select pg_try_advisory_lock($1) as "isHeld"', [
      launcherLock,
    ]);
    if (rows[0]?.isHeld === true) {
      client.once('end', onLost);
      return client;
    }
    // The session of a launcher that was just killed may take a moment to go.
    await pause(lockPauseMs);
  }
  await client.end();
  return undefined;
}

/** The database in the data folder, restarted on the same port when it dies under us. */
export async function startEmbeddedDatabase(
  dataDir: string,
  password: string,
  report: (line: string) => void,
): Promise<EmbeddedDatabase> {
  const options: ClusterOptions = { home: join(dataDir, 'postgres'), password, database: embeddedName };
  let cluster: Cluster = await startCluster(options);
  let lock: pg.Client | undefined;
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;

  const onLost = (): void => {
    if (!stopping.signal.aborted) restarting = restart();
  };
  const restart = async (): Promise<void> => {
    report('the database stopped; starting it again');
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      try {
        // On the same port: the server reconnects there.
        const next = await startCluster({ ...options, port: cluster.port });
        if (next.port !== cluster.port) throw new Error(`it runs on port ${next.port}, started by another launcher`);
        cluster = next;
        lock = await holdLock(next.ownerUrl, onLost);
        if (lock === undefined) throw new Error('another launcher uses the data folder');
        report('the database is back');
        return;
      } catch (error) {
        report(`the database did not start: ${error instanceof Error ? error.message : String(error)}`);
        await pause(Math.min(attempt * 1000, 10_000), stopping.signal);
      }
    }
  };

  lock = await holdLock(cluster.ownerUrl, onLost);
  if (lock === undefined)
    throw new StartError(`DATA_DIR ${dataDir} is in use by another Sextant; stop it or set DATA_DIR`);
  return {
    ownerUrl: cluster.ownerUrl,
    port: cluster.port,
    stop: async () => {
      stopping.abort();
      // One that is just being started would stay behind.
      await restarting;
      await lock?.end().catch(() => undefined);
      await cluster.stop();
    },
  };
}
