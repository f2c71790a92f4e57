import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const script = fileURLToPath(new URL('../../src/node/taskCommand.ts', import.meta.url));

/** Runs the task command as a process of its own, as `npm run -s task` does. */
export async function runTaskCommand(args: string[], input: unknown): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined); // it may have ended before it read its input
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
