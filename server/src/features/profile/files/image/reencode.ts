import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ok } from '@sextant/workers/src/result.ts';
import { type Outcome, refuse } from '../../../../platform/errors.ts';
import { createGate } from '../../../../platform/limits/gate.ts';
import { PIXELS_MAX } from './imageHeader.ts';

export interface StoredImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Pixels to cut a picture to. */
export interface Frame {
  width: number;
  height: number;
}

export type Reencode = (bytes: Buffer, frame: Frame) => Promise<Outcome<StoredImage>>;

const program = join(import.meta.dirname, 'reencodeChild.ts');
const deadlineMs = 5000;
/** Far more than a WebP of our sizes has. */
const outputBytesMax = 4 * 1024 * 1024;
/** Decoding takes up to 64 MiB each, outside of this process. */
const places = { placeCount: 2, queueMax: 8 };

const cannotDecode = () => refuse('image_refused', 'The image is damaged or incomplete.');

/** Runs one child. Its output, or undefined when it failed, and whether it was cut. */
function runChild(bytes: Buffer, { width, height }: Frame): Promise<{ output: Buffer | undefined; isCut: boolean }> {
  const args = ['--max-old-space-size=64', program, String(width), String(height), String(PIXELS_MAX)];
  // None of our variables: what decodes a stranger's bytes knows no secret.
  const env = process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] };
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'], killSignal: 'SIGKILL' });
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
    else chunks.push(chunk);
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

/** Decodes and encodes anew in a process of its own, at most 5 s and two at a time. No byte of the upload is kept. */
export function createReencode(): Reencode {
  const gate = createGate(places);
  return (bytes, frame) =>
    gate.run(async () => {
      const { output, isCut } = await runChild(bytes, frame);
      if (isCut) return refuse('image_refused', 'The image takes too long to decode. Save it again and retry.');
      if (output === undefined || output.length <= 4) return cannotDecode();
      return ok({ bytes: output.subarray(4), width: output.readUInt16BE(0), height: output.readUInt16BE(2) });
    });
}
