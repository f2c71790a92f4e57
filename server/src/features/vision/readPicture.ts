import { join } from 'node:path';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { ChartReading, NotAChart, ReadProgress } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import { runImageChild } from '../../platform/images/imageChild.ts';
import { PIXELS_MAX } from '../../platform/images/imageHeader.ts';
import { cannotDecode, decodesTooLong } from '../../platform/images/reencode.ts';
import { createGate } from '../../platform/limits/gate.ts';

export interface ReadPicture {
  reading: ChartReading | NotAChart;
  /** Size of the picture as read, in pixels: the unit of the reading. */
  size: { width: number; height: number };
  /** The re-encoded picture, WebP: contains no byte of the upload. */
  picture: Buffer;
}

export type PictureReader = (
  bytes: Buffer,
  options: { userId: string; onProgress: (progress: ReadProgress) => void },
) => Promise<Outcome<ReadPicture>>;

/** Reading the text takes about a second of a core, several times that on a busy machine; without it there are no prices. */
const TEXT_DEADLINE_MS = 14_000;
const child = {
  program: join(import.meta.dirname, 'readChartChild.ts'),
  args: [String(PIXELS_MAX), String(TEXT_DEADLINE_MS)],
  memoryMiB: 256,
  deadlineMs: 20_000,
  outputBytesMax: 8 * 1024 * 1024,
};
/** A reading uses a core for seconds: one at a time leaves the others to the server. */
const slots = { slotCount: 1, queueMax: 6 };

const kinds = { progress: 1, picture: 2, reading: 3 } as const;

/** Calls `take` with each whole message. */
function createMessages(take: (kind: number, content: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const end = 5 + rest.readUInt32BE(1);
      take(rest.readUInt8(0), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

/** Decodes, re-encodes and reads a picture in a separate process, one at a time; users take turns. */
export function createPictureReader({ deadlineMs } = child): PictureReader {
  const gate = createGate(slots);
  return (bytes, { userId, onProgress }) =>
    gate.run(async () => {
      let picture: Buffer | undefined;
      let read: Omit<ReadPicture, 'picture'> | undefined;
      const onOutput = createMessages((kind, content) => {
        if (kind === kinds.progress) onProgress(JSON.parse(content.toString()) as ReadProgress);
        else if (kind === kinds.picture) picture = Buffer.from(content);
        else read = JSON.parse(content.toString()) as Omit<ReadPicture, 'picture'>;
      });
      const { output, isCut } = await runImageChild(bytes, { ...child, deadlineMs, onOutput });
      if (isCut) return decodesTooLong();
      if (output === undefined || picture === undefined || read === undefined) return cannotDecode();
      return ok({ ...read, picture });
    }, userId);
}
