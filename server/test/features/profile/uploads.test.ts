import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readImageHeader } from '../../../src/platform/images/imageHeader.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { jpeg, largePng, photoWithPlace, png, pngBomb, pngHeader, webp } from './pictures.ts';

let test: TestApp;
let anna: TestUser;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sextant-uploads-'));
  test = await createTestApp({ env: { DATA_DIR: dataDir } });
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  anna = await test.signUp();
});

type Headers = Record<string, string>;
const send = (bytes: Buffer, headers: Headers = {}, kind = 'avatar', user = anna) =>
  test.app.inject({
    method: 'PUT',
    url: `/api/profile/${kind}`,
    headers: { 'content-type': 'image/png', ...user.bearer, ...headers },
    payload: bytes,
  });
const filesOf = (userId: string): Promise<string[]> => readdir(join(dataDir, 'files', userId)).catch(() => []);
const open = (url: string, headers: Headers = {}) => test.app.inject({ url, headers });

const mebibyte = 1024 * 1024;
const tail = Buffer.from('<script>alert(1)</script>PK\x03\x04 CANARY-TAIL');

interface Vector {
  name: string;
  make: () => Buffer | Promise<Buffer>;
  headers?: Headers;
  status: number;
  code?: string;
  field?: RegExp;
}
const refused = (name: string, make: Vector['make'], message: RegExp, more: Partial<Vector> = {}): Vector => ({
  name,
  make,
  status: 422,
  code: 'image_refused',
  field: message,
  ...more,
});
const taken = (name: string, make: Vector['make'], headers: Headers = {}): Vector => ({
  name,
  make,
  headers,
  status: 200,
});

const vectors: Vector[] = [
  refused('a 30 KiB PNG of 16000 x 16000', () => pngBomb(16_000, 16_000), /16000 × 16000 pixels/),
  refused('a PNG of 10000 x 10000', () => pngBomb(10_000, 10_000), /10000 × 10000 pixels/),
  refused('a PNG of 8000 x 8000: each side fits, the pixels do not', () => pngBomb(8000, 8000), /16 million/),
  refused('a PNG that says it has 4294967295 columns', () => pngHeader(0xffffffff, 1), /pixels/),
  refused('a PNG without a single pixel', () => pngHeader(0, 0), /not a PNG/),
  refused('a header and nothing after it', () => pngHeader(64, 64), /damaged or incomplete/),
  refused('a truncated PNG', async () => (await largePng(40_000)).subarray(0, 20_000), /damaged or incomplete/),
  refused('a truncated JPEG', async () => (await jpeg(800, 600)).subarray(0, 900), /damaged or incomplete/),
  refused('a truncated WebP', async () => (await webp(800, 600)).subarray(0, 60), /damaged or incomplete/),
  refused(
    'an SVG with a script',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    /not a PNG/,
  ),
  refused(
    'a GIF',
    () => Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex'),
    /not a PNG/,
  ),
  refused(
    'an AVIF',
    async () =>
      sharp(await png())
        .avif({ effort: 0 })
        .toBuffer(),
    /not a PNG/,
  ),
  refused(
    'a TIFF',
    async () =>
      sharp(await png())
        .tiff()
        .toBuffer(),
    /not a PNG/,
  ),
  refused('a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /not a PNG/),
  refused('a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), /not a PNG/),
  refused('a PNG behind a script', async () => Buffer.concat([tail, await png()]), /not a PNG/),
  refused(
    'a PNG signature with a script behind it',
    () => Buffer.concat([pngBomb(1, 1).subarray(0, 8), tail]),
    /not a PNG/,
  ),
  refused('0 bytes', () => Buffer.alloc(0), /empty/),
  refused(
    '2 MiB and 1 byte',
    async () => Buffer.concat([await png(), Buffer.alloc(2 * mebibyte + 1)]).subarray(0, 2 * mebibyte + 1),
    /too large|larger/,
    {
      status: 413,
      code: 'payload_too_large',
    },
  ),
  refused(
    'a form with a file in it',
    () => Buffer.from('--x\r\ncontent-disposition: form-data; name="f"; filename="../../a.php"\r\n\r\n--x--'),
    /image\/png/,
    {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      status: 415,
      code: 'unsupported_media_type',
    },
  ),
  refused('a picture called an SVG', () => png(), /image\/png/, {
    headers: { 'content-type': 'image/svg+xml' },
    status: 415,
    code: 'unsupported_media_type',
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

describe('25 uploads somebody would try', () => {
  it('are 25', () => expect(vectors).toHaveLength(25));

  it.each(vectors)('$name gives $status', async ({ make, headers, status, code, field }) => {
    const response = await send(await make(), headers);
    expect(response.statusCode).toBe(status);
    const names = await filesOf(anna.id);
    if (status !== 200) {
      expect(response.json()).toMatchObject({ code, message: expect.stringMatching(field ?? /./) as string });
      expect(names).toEqual([]);
      return;
    }
    // Whatever came in, what is kept is a WebP of ours with a name of ours.
    expect(names).toEqual([expect.stringMatching(/^\d{13}\.webp$/)]);
    const served = await open(response.json<{ avatar_url: string }>().avatar_url, anna.bearer);
    const metadata = await sharp(served.rawPayload).metadata();
    expect(metadata).toMatchObject({ format: 'webp' });
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(served.rawPayload.includes('CANARY')).toBe(false);
    expect(served.rawPayload.includes('script')).toBe(false);
  });

  it('bombs cost no memory of this process: the size is read, nothing is decoded', async () => {
    const bombs = [pngBomb(16_000, 16_000), pngBomb(10_000, 10_000)];
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 10; i++) for (const bomb of bombs) expect((await send(bomb)).statusCode).toBe(422);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * mebibyte);
  });

  it('a body without an announced length is cut at the limit too', async () => {
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as { port: number };
    let sentCount = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sentCount += 1;
        if (sentCount > 1000) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    const answer = await fetch(`http://127.0.0.1:${port}/api/profile/avatar`, {
      method: 'PUT',
      body: endless,
      duplex: 'half',
      headers: { ...anna.bearer, 'content-type': 'image/png' },
    } as RequestInit).catch((error: unknown) => error);
    // Node may see the closed connection before the answer; either way it was not read to the end.
    if (answer instanceof Response) expect(answer.status).toBe(413);
    expect(sentCount).toBeLessThan(200);
  });
});

describe('the header of an image', () => {
  it('is read of every kind, as the decoder reads it', async () => {
    for (const [kind, make] of [
      ['png', png],
      ['jpeg', jpeg],
      ['webp', webp],
    ] as const) {
      expect(readImageHeader(await make(321, 123))).toEqual({ kind, width: 321, height: 123 });
    }
    const lossless = await sharp(await png(77, 33))
      .webp({ lossless: true })
      .toBuffer();
    expect(readImageHeader(lossless)).toEqual({ kind: 'webp', width: 77, height: 33 });
    const transparent = await sharp({ create: { width: 70, height: 30, channels: 4, background: '#0000' } })
      .webp()
      .toBuffer();
    expect(readImageHeader(transparent)).toEqual({ kind: 'webp', width: 70, height: 30 });
    const progressive = await sharp(await png(90, 40))
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Artist: 'x' } })
      .toBuffer();
    expect(readImageHeader(progressive)).toEqual({ kind: 'jpeg', width: 90, height: 40 });
  });

  it('never throws, whatever the bytes, and never gives a size that is not one', async () => {
    const seeds = [await png(), await jpeg(), await webp()];
    const damaged = fc
      .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 12 }), fc.nat(200))
      .map(([seed, changes, length]) => {
        const bytes = Buffer.from(seed.subarray(0, length));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        return bytes;
      });
    const anything = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(damaged, anything), (bytes) => {
        const header = readImageHeader(bytes);
        return header === undefined || (header.width > 0 && header.height > 0);
      }),
      { numRuns: 50_000 },
    );
  });
});

describe('a picture', () => {
  it('is turned upright and cut to its frame', async () => {
    const { avatar_url: url } = (await send(await photoWithPlace(), { 'content-type': 'image/jpeg' })).json<{
      avatar_url: string;
    }>();
    const { width, height } = await sharp((await open(url, anna.bearer)).rawPayload).metadata();
    // 64 x 32 with orientation 6 stands upright as 32 x 64; the square in its middle is what is shown.
    expect([width, height]).toEqual([32, 32]);
    const cover = await send(await jpeg(3000, 2000), { 'content-type': 'image/jpeg' }, 'cover');
    const wide = await sharp(
      (await open(cover.json<{ cover_url: string }>().cover_url, anna.bearer)).rawPayload,
    ).metadata();
    expect([wide.width, wide.height]).toEqual([1500, 500]);
  });

  it('DATA-006 is served as a picture and nothing else, for an hour, to its owner', async () => {
    const { avatar_url: url } = (await send(await png())).json<{ avatar_url: string }>();
    expect(url).toMatch(/^\/api\/files\/[0-9a-f-]{36}$/);
    const { headers, statusCode } = await open(url, anna.bearer);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; object-src 'none'; sandbox",
      'content-disposition': 'attachment; filename="picture.webp"',
    });
  });

  it('is seen by nobody else until its owner makes the profile public, and not after', async () => {
    const { avatar_url: url } = (await send(await png())).json<{ avatar_url: string }>();
    const bert = await test.signUp();
    const allow = (isPublic: boolean) =>
      test.app.inject({
        method: 'PUT',
        url: '/api/account/privacy',
        headers: anna.bearer,
        payload: { public_stats: isPublic },
      });
    const seen = async () => [(await open(url)).statusCode, (await open(url, bert.bearer)).statusCode];
    expect(await seen()).toEqual([404, 404]);
    await allow(true);
    expect(await seen()).toEqual([200, 200]);
    // A shared cache would still give it out after the profile is hidden.
    expect((await open(url)).headers['cache-control']).toBe('private, max-age=3600');
    await allow(false);
    expect(await seen()).toEqual([404, 404]);
    expect((await open('/api/files/00000000-0000-4000-8000-000000000000', anna.bearer)).statusCode).toBe(404);
    expect((await open('/api/files/..%2f..%2fpackage.json', anna.bearer)).statusCode).toBe(400);
  });

  it('DATA-006 goes when another takes its place, and when it is removed', async () => {
    const first = (await send(await png())).json<{ avatar_url: string }>();
    const second = (await send(await webp(), { 'content-type': 'image/webp' })).json<{ avatar_url: string }>();
    expect(second.avatar_url).not.toBe(first.avatar_url);
    expect(await filesOf(anna.id)).toHaveLength(1);
    expect((await open(first.avatar_url, anna.bearer)).statusCode).toBe(404);
    const removed = await test.app.inject({ method: 'DELETE', url: '/api/profile/avatar', headers: anna.bearer });
    expect(removed.json()).toMatchObject({ avatar_url: null });
    expect(await filesOf(anna.id)).toEqual([]);
    expect(await test.database.asOwner('select from stored_files where user_id = $1', [anna.id])).toEqual([]);
  });

  it('beyond 20 files or 20 MiB is refused and leaves nothing', async () => {
    const keep = (count: number, bytes: number) =>
      test.database.asOwner(
        `insert into stored_files (user_id, kind, path, media_type, byte_count, width, height)
         select $1::text::uuid, 'cover', $1::text || '/' || (1000000000000 + n) || '.webp', 'image/webp', $3::int, 1, 1 from generate_series(1, $2::int) n`,
        [anna.id, count, bytes],
      );
    await keep(20, 10);
    expect((await send(await png())).json()).toMatchObject({ status: 409, code: 'quota_exceeded' });
    expect(await filesOf(anna.id)).toEqual([]);
    // What nothing shows was tidied away, so the next one finds room.
    expect((await send(await png())).statusCode).toBe(200);
    await test.database.asOwner('delete from stored_files where user_id = $1', [anna.id]);
    await keep(5, 4 * mebibyte);
    expect((await send(await png())).json()).toMatchObject({ code: 'quota_exceeded' });
  });

  it('needs somebody signed in, before a byte is read', async () => {
    for (const kind of ['avatar', 'cover']) {
      expect((await send(await png(), { authorization: 'Bearer no' }, kind)).statusCode).toBe(401);
      expect((await test.app.inject({ method: 'DELETE', url: `/api/profile/${kind}` })).statusCode).toBe(401);
    }
  });
});
