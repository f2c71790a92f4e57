import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Pictures for the upload tests: valid ones and malicious ones. */
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A black one-bit PNG of any size: a few KiB that decode into hundreds of MiB. */
export function pngBomb(width: number, height: number): Buffer {
  const pixels = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  return Buffer.concat([pngSignature, ihdr(width, height, 1), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A header without data, which states a size. */
export function pngHeader(width: number, height: number): Buffer {
  return Buffer.concat([pngSignature, ihdr(width, height, 8)]);
}

function ihdr(width: number, height: number, bits: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  return chunk('IHDR', header);
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 40, g: 90, b: 200 } } });

export const png = (width = 64, height = 48): Promise<Buffer> => plain(width, height).png().toBuffer();
export const jpeg = (width = 64, height = 48): Promise<Buffer> => plain(width, height).jpeg().toBuffer();
export const webp = (width = 64, height = 48): Promise<Buffer> => plain(width, height).webp().toBuffer();

/** Noise does not compress: a PNG of about `byteCount` bytes. */
export async function largePng(byteCount: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt(byteCount / 3));
  const noise = Buffer.alloc(side * side * 3);
  let state = 1;
  for (let i = 0; i < noise.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    noise[i] = state >>> 24;
  }
  return sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** A photo of a phone with position and rotation in its metadata. */
export const photoWithPlace = (): Promise<Buffer> =>
  plain(64, 32)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: 'CANARY-EXIF' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .toBuffer();
