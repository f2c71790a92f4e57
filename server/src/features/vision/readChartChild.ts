import { readChartPicture } from '@sextant/workers/src/node/readChartPicture.ts';
import sharp from 'sharp';

/**
 * Reads a picture of a chart from standard input; writes progress, the re-encoded picture and its reading to standard output, each as one
 * byte of kind, four of length and the content. A separate process, because a decoder is an attack surface, and because reading blocks
 * the processor for longer than a server may be silent. `node readChartChild.ts PIXELS_MAX TEXT_DEADLINE_MS`
 */
const [limitInputPixels = 1, textDeadlineMs = 1000] = process.argv.slice(2).map(Number);

/** As in readPicture.ts. */
const kinds = { progress: 1, picture: 2, reading: 3 } as const;
/** Larger pictures are shrunk: more than two pixels per candle add nothing. */
const readSideMax = 2560;
const sideMax = 1600;

sharp.cache(false);
sharp.concurrency(1);

function send(kind: keyof typeof kinds, content: Buffer): void {
  const head = Buffer.alloc(5);
  head.writeUInt8(kinds[kind], 0);
  head.writeUInt32BE(content.length, 1);
  process.stdout.write(Buffer.concat([head, content]));
}
const sendJson = (kind: keyof typeof kinds, value: unknown): void => send(kind, Buffer.from(JSON.stringify(value)));

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const inside = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

const input = await standardInput();
try {
  const open = () => sharp(input, { limitInputPixels, failOn: 'error', pages: 1 }).autoOrient();
  send('picture', await open().resize(inside(sideMax)).webp({ quality: 82, effort: 3 }).toBuffer());
  const raw = open().resize(inside(readSideMax)).toColourspace('srgb').ensureAlpha().raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const image = { width: info.width, height: info.height, rgba: new Uint8Array(data) };
  const onProgress = (progress: object): void => sendJson('progress', progress);
  const reading = await readChartPicture(image, { withText: true, textDeadlineMs, onProgress });
  sendJson('reading', { reading, size: { width: info.width, height: info.height } });
  process.stdout.end();
} catch {
  // The decoder's message is not passed on: the parent only reports that the picture cannot be decoded.
  process.exitCode = 2;
}
