import { randomBytes, randomUUID } from 'node:crypto';
import { serverUrl } from '@sextant/db/src/roles.ts';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { withSystem } from '../../src/platform/db/scope.ts';
import { testSecret } from './globalDatabase.ts';

export interface TestDatabase extends Database {
  /** The owner's connection, a superuser: to inspect what row-level security hides. */
  ownerUrl: string;
  /** The login of the server. */
  serverUrl: string;
  /** Errors reported by the pool, e.g. of a cut connection. */
  errors: Error[];
  /** Inserts an account with its default rows and returns its id. */
  addUser: (email?: string) => Promise<string>;
  /** Runs SQL as the owner, bypassing row-level security. */
  asOwner: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Closes everything and drops the database. */
  drop: () => Promise<void>;
}

function withPath(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function onCluster(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: withPath(inject('clusterUrl'), 'postgres') });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** A fresh migrated database, opened like the server's. Drop it in afterAll. */
export async function createTestDatabase(options: { connectionsMax?: number } = {}): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  // Half the processor time of a copy through the log, which no test needs.
  await onCluster(`create database ${name} template sextant strategy file_copy`);
  const ownerUrl = withPath(inject('clusterUrl'), name);
  const errors: Error[] = [];
  const url = serverUrl(ownerUrl, testSecret);
  const database = openDatabase({
    url,
    connectionsMax: options.connectionsMax ?? 4,
    // A machine busy with other tests must not look like an unavailable database.
    waitMsMax: 45_000,
    onError: (error) => errors.push(error),
  });
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  owner.on('error', () => undefined);
  owner.on('connect', (client) => client.on('error', () => undefined));
  return {
    ...database,
    ownerUrl,
    serverUrl: url,
    errors,
    addUser: (email = `${randomUUID()}@example.com`) =>
      withSystem(database.db, async (tx) => {
        const row = { name: 'Test', email };
        return (await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
      }),
    asOwner: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await owner.query<Row>(text, values)).rows,
    drop: async () => {
      await database.close();
      await owner.end();
      await onCluster(`drop database ${name} with (force)`);
    },
  };
}
