import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Writes the file of a package into `folder`.
 * @param cwd folder of the package, which must be built
 * @returns the path of the file
 */
export async function npmPack(cwd: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], { cwd });
  // Versions of npm print a list, or an object by the name of the package.
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>;
  const [file] = Object.values(packed);
  if (file === undefined) throw new Error('npm pack wrote no file.');
  return join(folder, file.filename);
}
