import { fileURLToPath } from 'node:url';
import { npmPack } from '../../.ci/npmPack.ts';
import { buildClient } from './build.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the package and writes its file into `folder`. Returns the path. */
export async function packClient(folder: string): Promise<string> {
  await buildClient();
  return npmPack(here, folder);
}

if (import.meta.main) console.log(await packClient(process.argv[2] ?? process.cwd()));
