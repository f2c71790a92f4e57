import { describeSchema } from '@sextant/db/src/describeSchema.ts';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import pg from 'pg';
import { startThrowawayCluster } from '../server/launch/postgres/throwaway.ts';

/** The types of the tables, read from a database that has just been migrated. */
export async function schemaFile(): Promise<{ path: string; content: string }> {
  const cluster = await startThrowawayCluster('schema');
  try {
    await migrateDatabase(cluster.ownerUrl, 'not a secret: this database lives for a second');
    const client = new pg.Client({ connectionString: cluster.ownerUrl });
    await client.connect();
    try {
      return { path: 'db/src/schema.gen.ts', content: await describeSchema(client) };
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
  }
}
