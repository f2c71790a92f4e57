import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

/** The files of `@sextant/client`: one module for every platform with `fetch`, and its types. */

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const dist = join(here, 'dist');

/** Makes the files of `dist`. */
export async function buildClient(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const build = await rolldown({ input: 'src/index.ts', cwd: here, platform: 'neutral', logLevel: 'warn' });
  await build.write({ file: join(dist, 'index.js'), format: 'esm', minify: true });
  await build.close();
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const types = join(dist, 'types');
  await promisify(execFile)(process.execPath, [compiler, '-p', join(here, 'tsconfig.json'), '--outDir', types]);
  for (const name of globSync('*.d.ts', { cwd: types })) {
    const path = join(types, name);
    // Declarations import each other by the names of the built files.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"]\.\/[\w.]+)\.ts(['"])/g, '$1.js$2'));
  }
}
