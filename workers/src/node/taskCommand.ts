import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { respondToTask } from './respondToTask.ts';

/** `npm run -s task -- <name>`: JSON of a task in, JSON of its result out. For developers who build on the engine. */

/** Builds in a separate process, because asc writes to the console; does nothing when the engine is fresh. */
async function buildQuietly(): Promise<void> {
  const script = fileURLToPath(new URL('../../../engine-as/build.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script]);
}

const { code, stdout, stderr } = await respondToTask(process.argv.slice(2), () => buffer(process.stdin), buildQuietly);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
