/** Accepted formats, detected from the bytes; the sender's file name and type are ignored. */
export type ImageKind = 'png' | 'jpeg' | 'webp';

export interface ImageHeader {
  kind: ImageKind;
  width: number;
  height: number;
}

/** Decoding takes 4 bytes per pixel, independent of the file size, so the limit is checked before decoding. */
export const PIXELS_MAX = 16_777_216;
export const PIXELS_MAX_TEXT = `${(PIXELS_MAX / 1e6).toFixed(1)} million`;
export const SIDE_MAX = 8192;

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads format and size in pixels. Undefined unless the bytes start like a PNG, JPEG or WebP file. Never throws. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const header = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
}

function readPng(bytes: Buffer): ImageHeader | undefined {
  // Signature, then IHDR, which the format requires first: length 13, type, width, height.
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Start-of-frame markers: C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers without a length: TEM, restart, start of image. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (isFrame(marker))
      return { kind: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Picture data or the end before any frame: the size is unknown.
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  const size = webpSize(bytes.toString('latin1', 12, 16), bytes);
  return size === undefined ? undefined : { kind: 'webp', ...size };
}

/** Source: RFC 9649 (container, lossless) and RFC 6386 section 9.1 (lossy key frame). */
function webpSize(chunk: string, bytes: Buffer): { width: number; height: number } | undefined {
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  const isKeyFrame = bytes[23] === 0x9d && bytes[24] === 0x01 && bytes[25] === 0x2a;
  if (chunk !== 'VP8 ' || !isKeyFrame) return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}
