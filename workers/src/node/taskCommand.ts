import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createEnginePool } from './pool.ts';
import { progressLine } from './progressLine.ts';
import { respondToTask } from './respondToTask.ts';

/** Longest timer: 24 days. */
const NO_DEADLINE_MS = 2 ** 31 - 1;

/** `npm run -s task -- <name>`: JSON of a task in, JSON of its result out. For developers who build on the engine. */

/** Builds in a separate process, because asc writes to the console; does nothing when the engine is fresh. */
async function buildQuietly(): Promise<void> {
  const script = fileURLToPath(new URL('../../../engine-as/build.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script]);
}

const progress = progressLine(process.stderr);
const { code, stdout, stderr } = await respondToTask(
  process.argv.slice(2),
  () => (process.stdin.isTTY ? Promise.resolve('') : buffer(process.stdin)),
  buildQuietly,
  {
    openPool: (engine, threads = availableParallelism()) =>
      Promise.resolve(createEnginePool({ engine, threads, queueMax: Infinity, deadlineMs: NO_DEADLINE_MS })),
    onProgress: (done, total) => progress.report(done, total),
  },
);
progress.end();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
