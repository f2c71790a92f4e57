import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './startError.ts';

const root = join(import.meta.dirname, '../..');
const pagesDir = join(root, 'web/dist');
/** Pages are built here and then moved to `pagesDir`, so that a server that starts during a build never reads half of them. */
const workDir = join(root, 'web/build');
const stampName = '.built-from';

/** All that ends up in the pages. */
const inputs = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/prerender',
  'web/bundle',
  'web/package.json',
  'package-lock.json',
  'workers/src',
  'engine-as/abi',
  'engine-as/build/engine.wasm',
  // The public pages of the help.
  'docs/help',
  'docs/errors.md',
  'server/src/features/help',
  'server/src/platform/errors.ts',
  'server/launch/printHelp.ts',
];

/** Files that own the figures in the articles. */
async function figureOwners(): Promise<string[]> {
  const folder = 'server/src/features/help';
  const text = await readFile(join(root, folder, 'facts.ts'), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(folder, path));
}

async function inputFiles(): Promise<string[]> {
  const paths = [...inputs, ...(await figureOwners())];
  return (await Promise.all(paths.map((path) => filesUnder(join(root, path))))).flat();
}

async function filesUnder(path: string): Promise<string[]> {
  const result = await stat(path).catch(() => undefined);
  if (result === undefined) return [];
  if (!result.isDirectory()) return [path];
  const names = (await readdir(path)).sort();
  return (await Promise.all(names.map((name) => filesUnder(join(path, name))))).flat();
}

/** One hash of the names and contents of all inputs. By content: a fresh checkout has new times but the same pages. */
async function hashInputs(): Promise<string> {
  const files = await inputFiles();
  const digests = await Promise.all(
    files.map(
      async (file) =>
        `${relative(root, file)} ${createHash('sha256')
          .update(await readFile(file))
          .digest('hex')}`,
    ),
  );
  return createHash('sha256').update(digests.join('\n')).digest('hex');
}

/** Sizes and times of all inputs: the same as at the last look, and nothing has to be read. */
async function describeInputs(): Promise<string> {
  const files = await inputFiles();
  const lines = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs, ctimeMs } = await stat(file);
      return `${relative(root, file)} ${size} ${mtimeMs} ${ctimeMs}`;
    }),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

interface Stamp {
  hash: string;
  seen: string;
}

/** Reads the stamp of the built pages; both fields are empty when there are no pages or no stamp. */
async function readStamp(): Promise<Stamp> {
  if (!existsSync(join(pagesDir, 'index.html'))) return { hash: '', seen: '' };
  const [hash = '', seen = ''] = (await readFile(join(pagesDir, stampName), 'utf8').catch(() => '')).split('\n');
  return { hash, seen };
}

/** Replaces a folder by another with two renames. A reader sees the old folder, for an instant none, then the new one: never a mixture. */
export async function putInPlace(made: string, place: string): Promise<void> {
  const former = `${made}.former`;
  await rm(former, { recursive: true, force: true });
  if (existsSync(place)) await rename(place, former);
  await rename(made, place);
  await rm(former, { recursive: true, force: true });
}

/** Builds the pages into web/dist when they are not there or something in them changed. Says whether it had to. */
export async function buildWebWhenStale(): Promise<boolean> {
  const stamp = await readStamp();
  // Listed before the files are read: a file that changes in between is rebuilt at the next start.
  const seen = await describeInputs();
  if (stamp.hash !== '' && stamp.seen === seen) return false;
  const hash = await hashInputs();
  if (stamp.hash === hash) {
    await writeFile(join(pagesDir, stampName), `${hash}\n${seen}`);
    return false;
  }
  const built = join(workDir, 'pages');
  const vite = join(dirname(createRequire(join(root, 'web/package.json')).resolve('vite/package.json')), 'bin/vite.js');
  try {
    const args = ['build', 'web', '--outDir', built, '--emptyOutDir', '--logLevel', 'error'];
    await promisify(execFile)(process.execPath, [vite, ...args], { cwd: root, maxBuffer: 1 << 24 });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    const output = [stderr, stdout]
      .filter((text) => text !== undefined && text !== '')
      .join(' ')
      .trim();
    throw new StartError(`the pages could not be built: ${output.slice(-600) || String(error)}`);
  }
  await writeFile(join(built, stampName), `${hash}\n${seen}`);
  await putInPlace(built, pagesDir);
  return true;
}
