import sharp from 'sharp';

/**
 * One picture in on standard input, the same picture anew on standard output: WebP, turned upright, cut to `width` × `height`
 * around its middle, without anything that is not a pixel. A process of its own, because a decoder is what an attacker aims at:
 * its memory goes with it, and it can be killed in the middle. `node reencodeChild.ts WIDTH HEIGHT PIXELS_MAX`
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
  // A small picture keeps its pixels and is only cut to the shape of the frame.
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
  // The decoder's message is not passed on: the parent only reports that the picture cannot be decoded.
  process.exitCode = 2;
}
