import { spawn } from 'node:child_process';

export interface ImageChild {
  /** Path of the program: reads a picture from standard input, writes its result to standard output. */
  program: string;
  args: readonly string[];
  memoryMiB: number;
  deadlineMs: number;
  outputBytesMax: number;
  /** Called with each chunk of output as it arrives. */
  onOutput?: (chunk: Buffer) => void;
}

/** Runs a program on an untrusted picture in a child process. Returns its output, undefined on failure, and whether it was timed out. */
export function runImageChild(
  bytes: Buffer,
  { program, args, memoryMiB, deadlineMs, outputBytesMax, onOutput }: ImageChild,
): Promise<{ output: Buffer | undefined; isCut: boolean }> {
  // Pass no environment: a process that decodes untrusted bytes must know no secret.
  const env = process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] };
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMiB}`, program, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let byteCount = 0;
  let isCut = false;
  const timer = setTimeout(() => {
    isCut = true;
    child.kill('SIGKILL');
  }, deadlineMs);
  child.stdout.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount > outputBytesMax) child.kill('SIGKILL');
    else {
      chunks.push(chunk);
      onOutput?.(chunk);
    }
  });
  // A child that exits before it has read everything breaks the pipe; its exit code reports the failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ output: code === 0 ? Buffer.concat(chunks) : undefined, isCut });
    });
  });
}
