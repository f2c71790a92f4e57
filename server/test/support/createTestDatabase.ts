import { randomBytes, randomUUID } from 'node:crypto';
import { serverUrl } from '@sextant/db/src/roles.ts';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { withSystem } from '../../src/platform/db/scope.ts';
import { testSecret } from './globalDatabase.ts';

export interface TestDatabase extends Database {
  /** The owner's connection, a superuser: for looking at what row-level security hides. */
  ownerUrl: string;
  /** The login the server uses. */
  serverUrl: string;
  /** Errors the pool reported, e.g. of a connection that was cut. */
  errors: Error[];
  /** Inserts an account and gives its id. The rows that come with it are there too. */
  addUser: (email?: string) => Promise<string>;
  /** Runs SQL as the owner, past row-level security. */
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

/** A fresh migrated database, opened as the server opens it. Drop it in afterAll. */
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
    // A machine that is busy with other tests is not a database that is gone.
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
