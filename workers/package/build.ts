import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

/** The files of `@sextant/engine`, for Node and browsers. */

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const dist = join(here, 'dist');
const run = promisify(execFile);

/** Makes the files of `dist`. The engine must be built. */
export async function buildPackage(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await bundle();
  await copyFile(join(root, 'engine-as/build/engine.wasm'), join(dist, 'engine.wasm'));
  await writeTypes();
}

/** One build of both, so that they share the files of the tasks. */
async function bundle(): Promise<void> {
  const entries = ['node', 'nodeWorker', 'command', 'browser', 'browserWorker'];
  const input = Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`]));
  const build = await rolldown({
    input,
    cwd: here,
    platform: 'neutral',
    external: /^node:/,
    logLevel: 'warn',
    resolve: { conditionNames: ['import', 'module', 'default'], mainFields: ['module', 'main'] },
    treeshake: { moduleSideEffects: false },
  });
  await build.write({
    dir: dist,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
}

/** Declarations of the entry and of what it reaches, each beside the path of its source. */
async function writeTypes(): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'sextant-types-'));
  try {
    const compiler = join(root, 'node_modules/typescript7/bin/tsc');
    await run(process.execPath, [compiler, '-p', join(here, 'tsconfig.json'), '--outDir', emitted]);
    const seen = new Set<string>();
    const open = ['workers/package/src/node.d.ts'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const text = await readFile(join(emitted, path), 'utf8');
      const target = join(dist, 'types', path);
      const rewritten = text.replaceAll(/(from |import\()(['"])([^'"]+)\.ts\2/g, (whole, how, quote, specifier) => {
        const to = pathOf(path, String(specifier));
        if (to === undefined) return whole;
        open.push(`${to}.d.ts`);
        const way = relative(dirname(path), to);
        return `${String(how)}${String(quote)}${way.startsWith('.') ? way : `./${way}`}.js${String(quote)}`;
      });
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, rewritten);
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Path of an imported source below the root, without its ending; undefined for one of another package. */
function pathOf(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  return /^@sextant\/(engine-as|workers)\//.test(specifier) ? specifier.replace('@sextant/', '') : undefined;
}
