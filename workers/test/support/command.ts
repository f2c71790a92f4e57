import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { respondToTask } from '../../src/node/respondToTask.ts';

interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const script = fileURLToPath(new URL('../../src/node/taskCommand.ts', import.meta.url));
const textOf = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input));

/** The task command in this process: starting Node and checking the build, twice a call, is most of what the command costs. */
export const runTaskCommand = (args: string[], input: unknown): Promise<CommandResult> =>
  respondToTask(
    args,
    () => Promise.resolve(textOf(input)),
    () => Promise.resolve(),
  );

/** The task command as a separate process, as `npm run -s task` starts it. */
export async function spawnTaskCommand(args: string[], input: unknown): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined); // it may have ended before it read its input
  child.stdin.end(textOf(input));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
