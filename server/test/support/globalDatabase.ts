import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startThrowawayCluster } from '../../launch/postgres/throwaway.ts';
import { memoryRoot, removeLeftFolders } from './memoryFolder.ts';

export const testSecret = 'a secret that only the tests of this run know';

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One PostgreSQL for the whole run, with a migrated template that each test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftFolders();
  const cluster = await startThrowawayCluster(`${process.pid}-test`, memoryRoot);
  try {
    await migrateDatabase(cluster.ownerUrl, testSecret);
    const client = new pg.Client({ connectionString: cluster.ownerUrl.replace(/\/sextant$/, '/postgres') });
    await client.connect();
    // A template without connections can always be copied: an open connection would make the copy fail.
    await client.query('alter database sextant with is_template true allow_connections false');
    await client.end();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide('clusterUrl', cluster.ownerUrl);
  return () => cluster.stop();
}
