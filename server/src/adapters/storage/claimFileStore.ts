import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigError } from '../../config.ts';
import type { S3Options } from './createFileStore.ts';

export interface FileStorePlace {
  s3: S3Options | undefined;
  /** Folder of the pictures without a bucket. */
  folder: string;
}

/** First key of the advisory locks that state which store a running server uses; the second key is the store. */
const lockClass = 1_734_207;
const attempts = 8;
const attemptPauseMs = 400;
const reconnectMs = 5000;

/** Identity of a store: equal on all servers that use the same bucket, or the same folder regardless of its mount path. */
async function identify({ s3, folder }: FileStorePlace): Promise<string> {
  if (s3 !== undefined) return `bucket ${s3.endpoint ?? ''} ${s3.bucket}`;
  const path = join(folder, '.store-id');
  const partial = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(partial, randomUUID(), { mode: 0o600, flag: 'wx' });
    // Atomic, and never overwrites the id of another server.
    await link(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(partial, { force: true });
  }
  return `folder ${await readFile(path, 'utf8')}`;
}

async function connect(newClient: () => pg.Client): Promise<pg.Client> {
  const client = newClient();
  client.on('error', () => undefined);
  await client.connect();
  // Otherwise a dead host would count as a running server for hours.
  await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
  return client;
}

const hold = (client: pg.Client, store: string) =>
  client.query('select pg_advisory_lock_shared($1, hashtext($2) & 2147483647)', [lockClass, store]);

async function isOtherInUse(client: pg.Client, store: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and granted and classid = $1 and objsubid = 2
       and objid <> (hashtext($2) & 2147483647)::oid
       and database = (select oid from pg_database where datname = current_database())`,
    [lockClass, store],
  );
  return rowCount !== 0;
}

/**
 * Prevents servers of one database from using different stores: each would serve only its own pictures. The claim is a session-level
 * advisory lock: it ends with the process, and a hung server still holds it.
 * @returns releases the claim
 */
export async function claimFileStore(place: FileStorePlace, newClient: () => pg.Client): Promise<() => Promise<void>> {
  const store = await identify(place);
  let isClosed = false;
  let client = await connect(newClient);
  await hold(client, store);
  // The lock of a server that just stopped may still be listed.
  for (let attempt = 1; await isOtherInUse(client, store); attempt += 1) {
    if (attempt === attempts) {
      await client.end();
      throw new ConfigError(
        `S3_BUCKET: another server on this database stores pictures outside ${place.folder}; ` +
          'set S3_BUCKET to the same bucket on all servers, or let them share one DATA_DIR',
      );
    }
    await pause(attemptPauseMs);
  }
  const renew = async (): Promise<void> => {
    client = await connect(newClient);
    if (isClosed) return client.end();
    await hold(client, store);
    keep();
  };
  const retry = (): void => {
    if (isClosed) return;
    setTimeout(() => void renew().catch(retry), reconnectMs).unref();
  };
  const keep = (): void => void client.once('end', retry);
  keep();
  return async () => {
    isClosed = true;
    await client.end().catch(() => undefined);
  };
}
