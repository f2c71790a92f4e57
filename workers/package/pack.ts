import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmPack } from '../../.ci/npmPack.ts';
import { buildPackage } from './build.ts';
import { verifierPage } from './verifier/build.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the package and writes its file into `folder`. Returns the path. The engine must be built. */
export async function packEngine(folder: string): Promise<string> {
  await buildPackage();
  return npmPack(here, folder);
}

/** Writes the stand-alone verifier of proofs into `folder`. Returns the path. */
export async function packVerifier(folder: string): Promise<string> {
  const path = join(folder, 'sextant-verifier.html');
  await writeFile(path, await verifierPage());
  return path;
}

if (import.meta.main) {
  const folder = process.argv[2] ?? process.cwd();
  console.log(await packEngine(folder));
  console.log(await packVerifier(folder));
}
