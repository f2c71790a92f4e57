import sharp from 'sharp';
import { jpeg, largePng, photoWithPlace, png, pngBomb, pngHeader, webp } from './pictures.ts';

export const mebibyte = 1024 * 1024;
const tail = Buffer.from('<script>alert(1)</script>PK\x03\x04 CANARY-TAIL');

type Headers = Record<string, string>;

export interface UploadVector {
  name: string;
  make: () => Buffer | Promise<Buffer>;
  headers?: Headers;
  status: number;
  code?: string;
  /** Pattern of the error. */
  field?: RegExp;
  /** In a form the type and name of the upload do not matter: the outcome by its bytes, where it differs. */
  inForm?: 'taken' | RegExp;
}
const reject = (
  name: string,
  make: UploadVector['make'],
  message: RegExp,
  more: Partial<UploadVector> = {},
): UploadVector => ({
  name,
  make,
  status: 422,
  code: 'image_refused',
  field: message,
  ...more,
});
const taken = (name: string, make: UploadVector['make'], headers: Headers = {}): UploadVector => ({
  name,
  make,
  headers,
  status: 200,
});

/** Uploads that an attacker would try, with the response of a route for plain pictures. */
export const uploadVectors: readonly UploadVector[] = [
  reject('a 30 KiB PNG of 16000 x 16000', () => pngBomb(16_000, 16_000), /16000 × 16000 pixels/),
  reject('a PNG of 10000 x 10000', () => pngBomb(10_000, 10_000), /10000 × 10000 pixels/),
  reject('a PNG of 8000 x 8000: each side fits, the pixels do not', () => pngBomb(8000, 8000), /16\.8 million/),
  reject('a PNG that says it has 4294967295 columns', () => pngHeader(0xffffffff, 1), /pixels/),
  reject('a PNG without a single pixel', () => pngHeader(0, 0), /PNG, JPEG or WebP/),
  reject('a header and nothing after it', () => pngHeader(64, 64), /damaged or incomplete/),
  reject('a truncated PNG', async () => (await largePng(40_000)).subarray(0, 20_000), /damaged or incomplete/),
  reject('a truncated JPEG', async () => (await jpeg(800, 600)).subarray(0, 900), /damaged or incomplete/),
  reject('a truncated WebP', async () => (await webp(800, 600)).subarray(0, 60), /damaged or incomplete/),
  reject(
    'an SVG with a script',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    /PNG, JPEG or WebP/,
  ),
  reject(
    'a GIF',
    () => Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex'),
    /PNG, JPEG or WebP/,
  ),
  reject(
    'an AVIF',
    async () =>
      sharp(await png())
        .avif({ effort: 0 })
        .toBuffer(),
    /PNG, JPEG or WebP/,
  ),
  reject(
    'a TIFF',
    async () =>
      sharp(await png())
        .tiff()
        .toBuffer(),
    /PNG, JPEG or WebP/,
  ),
  reject('a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /PNG, JPEG or WebP/),
  reject('a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), /PNG, JPEG or WebP/),
  reject('a PNG behind a script', async () => Buffer.concat([tail, await png()]), /PNG, JPEG or WebP/),
  reject(
    'a PNG signature with a script behind it',
    () => Buffer.concat([pngBomb(1, 1).subarray(0, 8), tail]),
    /PNG, JPEG or WebP/,
  ),
  reject('0 bytes', () => Buffer.alloc(0), /empty/),
  reject(
    '2 MiB and 1 byte',
    async () => Buffer.concat([await png(), Buffer.alloc(2 * mebibyte + 1)]).subarray(0, 2 * mebibyte + 1),
    /too large|larger/,
    {
      status: 413,
      code: 'payload_too_large',
    },
  ),
  reject(
    'a form with a file in it',
    () => Buffer.from('--x\r\ncontent-disposition: form-data; name="f"; filename="../../a.php"\r\n\r\n--x--'),
    /image\/png/,
    {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      status: 415,
      code: 'unsupported_media_type',
      inForm: /PNG, JPEG or WebP/,
    },
  ),
  reject('a picture called an SVG', () => png(), /image\/png/, {
    headers: { 'content-type': 'image/svg+xml' },
    status: 415,
    code: 'unsupported_media_type',
    inForm: 'taken',
  }),
  taken('a JPEG with a script and a zip archive behind it', async () => Buffer.concat([await jpeg(), tail]), {
    'content-type': 'image/jpeg',
  }),
  taken('a photo with its place and rotation', photoWithPlace, { 'content-type': 'image/jpeg' }),
  taken('a JPEG that is called a PNG', () => jpeg(), { 'content-type': 'image/png' }),
  taken('a name that climbs out of its folder', () => png(), {
    'content-disposition': 'attachment; filename="../../../../etc/cron.d/x.php\0.png"',
    'x-file-name': '..\\..\\web\\index.html',
    slug: '../../x',
  }),
];
