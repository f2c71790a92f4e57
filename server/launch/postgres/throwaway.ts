import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from './cluster.ts';

/**
 * A cluster in a temporary folder without fsync, for tests and generators. `stop` deletes it.
 * @param parent of the folder: tests name one in memory, benchmarks stay on the disk
 * @param isThrowaway false: the settings of the product, so that its log and its vacuum can be measured
 */
export async function startThrowawayCluster(
  name: string,
  parent: string = tmpdir(),
  isThrowaway = true,
): Promise<Cluster> {
  const folder = await mkdtemp(join(parent, `sextant-${name}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const cluster = await startCluster({
      home: join(folder, 'postgres'),
      password: 'throwaway',
      database: 'sextant',
      isThrowaway,
    });
    return {
      ...cluster,
      async stop() {
        try {
          await cluster.stop();
        } finally {
          await remove();
        }
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
