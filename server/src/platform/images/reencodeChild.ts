import sharp from 'sharp';

/**
 * Reads a picture from standard input and writes it re-encoded to standard output: WebP, upright, cropped to `width` × `height`
 * around its centre, pixels only. A separate process, because decoders are a target of attacks: its memory ends with it, and
 * it can be killed at any time. `node reencodeChild.ts WIDTH HEIGHT PIXELS_MAX`
 */
const [width = 1, height = 1, limitInputPixels = 1] = process.argv.slice(2).map(Number);

sharp.cache(false);
sharp.concurrency(1);

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const input = await standardInput();
try {
  const picture = sharp(input, { limitInputPixels, failOn: 'error', pages: 1 });
  const { autoOrient: upright } = await picture.metadata();
  // A small picture is not enlarged, only cropped to the frame's aspect ratio.
  const scale = Math.min(1, upright.width / width, upright.height / height);
  const fit = (side: number) => Math.max(1, Math.round(side * scale));
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: fit(width), height: fit(height), fit: 'cover' })
    .webp({ quality: 86, effort: 3 })
    .toBuffer({ resolveWithObject: true });
  const size = Buffer.alloc(4);
  size.writeUInt16BE(info.width, 0);
  size.writeUInt16BE(info.height, 2);
  process.stdout.end(Buffer.concat([size, data]));
} catch {
  // Discard the decoder's message: the parent only reports that the picture cannot be decoded.
  process.exitCode = 2;
}
