import { join } from 'node:path';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../errors.ts';
import { createGate } from '../limits/gate.ts';
import { runImageChild } from './imageChild.ts';
import { PIXELS_MAX } from './imageHeader.ts';

export interface StoredImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Pixels to crop a picture to. */
export interface Frame {
  width: number;
  height: number;
}

export type Reencode = (bytes: Buffer, frame: Frame) => Promise<Outcome<StoredImage>>;

/** `outputBytesMax`: far above the size of any WebP we produce. */
const child = {
  program: join(import.meta.dirname, 'reencodeChild.ts'),
  memoryMiB: 64,
  deadlineMs: 5000,
  outputBytesMax: 4 * 1024 * 1024,
};
/** Each decoder uses up to 64 MiB, outside this process. */
const slots = { slotCount: 2, queueMax: 8 };

export const cannotDecode = () => reject('image_refused', 'The image is damaged or incomplete.');
/** The pixel limit allows decoding in time: a timeout means that the machine is busy, not that the image is invalid. */
export const decodesTooLong = () => reject('overloaded', 'The image could not be decoded in time. Try again shortly.');

/** Decodes and re-encodes in a child process, at most 5 s and two at a time. No byte of the upload is stored. */
export function createReencode({ deadlineMs } = child): Reencode {
  const gate = createGate(slots);
  return (bytes, { width, height }) =>
    gate.run(async () => {
      const args = [width, height, PIXELS_MAX].map(String);
      const { output, isCut } = await runImageChild(bytes, { ...child, deadlineMs, args });
      if (isCut) return decodesTooLong();
      if (output === undefined || output.length <= 4) return cannotDecode();
      return ok({ bytes: output.subarray(4), width: output.readUInt16BE(0), height: output.readUInt16BE(2) });
    });
}
