import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSchema } from '@sextant/db/src/describeSchema.ts';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import pg from 'pg';
import { startThrowawayCluster } from './postgres/throwaway.ts';

/** Writes db/src/schema.gen.ts from a database that has just been migrated. `node server/launch/writeSchema.ts` */
const cluster = await startThrowawayCluster('schema');
try {
  await migrateDatabase(cluster.ownerUrl, 'not a secret: this database lives for a second');
  const client = new pg.Client({ connectionString: cluster.ownerUrl });
  await client.connect();
  try {
    await writeFile(join(import.meta.dirname, '../../db/src/schema.gen.ts'), await describeSchema(client));
  } finally {
    await client.end();
  }
} finally {
  await cluster.stop();
}
