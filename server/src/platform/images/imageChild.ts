import { spawn } from 'node:child_process';

export interface ImageChild {
  /** Path of the program: reads a picture on standard input, writes its answer on standard output. */
  program: string;
  args: readonly string[];
  memoryMiB: number;
  deadlineMs: number;
  outputBytesMax: number;
  /** Told about each piece of the answer as it arrives. */
  onOutput?: (chunk: Buffer) => void;
}

/** Runs a program on a stranger's picture in a process of its own. Its output, or undefined when it failed, and whether it was cut. */
export function runImageChild(
  bytes: Buffer,
  { program, args, memoryMiB, deadlineMs, outputBytesMax, onOutput }: ImageChild,
): Promise<{ output: Buffer | undefined; isCut: boolean }> {
  // None of our variables: what decodes a stranger's bytes knows no secret.
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
  // A child that ends before it has read everything breaks the pipe: its exit says what happened.
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
