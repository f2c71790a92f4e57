import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildClient } from './build.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the package and writes its file into `folder`. Returns the path. */
export async function packClient(folder: string): Promise<string> {
  await buildClient();
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], { cwd: here });
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>;
  const [file] = Object.values(packed);
  if (file === undefined) throw new Error('npm pack wrote no file.');
  return join(folder, file.filename);
}

if (import.meta.main) console.log(await packClient(process.argv[2] ?? process.cwd()));
