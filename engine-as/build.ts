import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Builds build/engine.wasm with asc when a source is newer. `node engine-as/build.ts [--force]` */

const engineFolder = import.meta.dirname;
const wasmIn = (folder: string): string => join(folder, 'build/engine.wasm');
export const enginePath = wasmIn(engineFolder);

/** 512 MiB in 64 KiB pages: 1,000,000 candles with every indicator of the registry need less than 256 MiB (a test checks it). */
const MEMORY_PAGES_MAX = 8192;

/** One set of options for every build: another shrinkLevel changes the last bit of exp, log and pow. */
const ascOptions = [
  '--config',
  'none',
  '--enable',
  'simd',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '-O3',
  '--converge',
  '--noAssert',
  '--disableWarning',
  '112',
  '--maximumMemory',
  String(MEMORY_PAGES_MAX),
];

export interface EngineBuild {
  path: string;
  bytes: number;
  isRebuilt: boolean;
}

/**
 * Builds what stands in `assembly/index.ts` of the folder.
 * @throws Error with asc's own message when the sources do not compile.
 */
export async function buildEngine({ force = false, folder = engineFolder } = {}): Promise<EngineBuild> {
  const release = await takeTurn(folder);
  const path = wasmIn(folder);
  const isRebuilt = force || !(await isFresh(folder));
  try {
    if (isRebuilt) await compile(folder);
  } finally {
    await release();
  }
  return { path, bytes: (await stat(path)).size, isRebuilt };
}

async function compile(folder: string): Promise<void> {
  const asc = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin/asc.js');
  const path = wasmIn(folder);
  await mkdir(dirname(path), { recursive: true });
  // A reader must never see a half-written file: asc writes beside it, and rename is atomic.
  const draft = `build/engine.${process.pid}.wasm`;
  const startedAt = new Date();
  try {
    const options = ['assembly/index.ts', ...ascOptions, '--outFile', draft];
    await promisify(execFile)(process.execPath, [asc, ...options], { cwd: folder, maxBuffer: 1 << 24 });
    await utimes(join(folder, draft), startedAt, startedAt); // a source saved while asc runs is newer than this build
    await rename(join(folder, draft), path);
  } catch (cause) {
    const { stderr, stdout } = cause as { stderr?: string; stdout?: string };
    throw new Error([stderr, stdout].filter(Boolean).join('\n') || String(cause), { cause });
  } finally {
    await rm(join(folder, draft), { force: true });
  }
}

/** One build at a time: test files that start together wait for the first one's result instead of repeating it. */
async function takeTurn(folder: string): Promise<() => Promise<void>> {
  const lock = join(folder, 'build/engine.lock');
  await mkdir(dirname(lock), { recursive: true });
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      return () => rm(lock, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    await setTimeout(50);
  }
}

/** An owner that was killed cannot give its turn back. */
async function isAbandoned(lock: string): Promise<boolean> {
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (owner > 0) return !isAlive(owner);
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > 10_000; // empty: killed before it could write its id
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isFresh(folder: string): Promise<boolean> {
  const built = await stat(wasmIn(folder)).catch(() => undefined);
  if (built === undefined) return false;
  // A folder other than this one may lack `abi`.
  const sources = ['assembly', 'abi', 'build.ts'].map((name) => join(folder, name));
  const newest = await Promise.all(sources.map((path) => newestMs(path).catch(() => 0)));
  return Math.max(...newest) < built.mtimeMs;
}

/** Folders count too: a deleted source changes only its folder. */
async function newestMs(path: string): Promise<number> {
  const { mtimeMs, isDirectory } = await stat(path).then((result) => ({
    mtimeMs: result.mtimeMs,
    isDirectory: result.isDirectory(),
  }));
  if (!isDirectory) return mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => newestMs(join(path, name))));
  return Math.max(mtimeMs, ...inside);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { bytes, isRebuilt } = await buildEngine({ force: process.argv.includes('--force') });
    console.log(`engine.wasm ${isRebuilt ? 'built' : 'is up to date'}: ${bytes} bytes`);
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 1;
  }
}
