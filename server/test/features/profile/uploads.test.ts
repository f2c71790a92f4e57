import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readImageHeader } from '../../../src/platform/images/imageHeader.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { jpeg, photoWithPlace, png, pngBomb, webp } from './pictures.ts';
import { mebibyte, uploadVectors } from './uploadVectors.ts';

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

describe('25 uploads an attacker would try', () => {
  it('are 25', () => expect(uploadVectors).toHaveLength(25));

  it.each(uploadVectors)('$name gives $status', async ({ make, headers, status, code, field }) => {
    const response = await send(await make(), headers);
    expect(response.statusCode).toBe(status);
    const names = await filesOf(anna.id);
    if (status !== 200) {
      expect(response.json()).toMatchObject({ code, message: expect.stringMatching(field ?? /./) as string });
      expect(names).toEqual([]);
      return;
    }
    // Whatever was uploaded, the stored file is a WebP encoded here under a generated name.
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

  it('bombs use no memory of this process: the size is read, nothing is decoded', async () => {
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
    const response = await fetch(`http://127.0.0.1:${port}/api/profile/avatar`, {
      method: 'PUT',
      body: endless,
      duplex: 'half',
      headers: { ...anna.bearer, 'content-type': 'image/png' },
    } as RequestInit).catch((error: unknown) => error);
    // Node may see the closed connection before the response; in both cases the body was not read to the end.
    if (response instanceof Response) expect(response.status).toBe(413);
    // The socket buffers of a loopback connection can take ten megabytes, 160 pieces, before the server has read any.
    expect(sentCount).toBeLessThan(500);
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

  it('never throws, whatever the bytes, and never returns an invalid size', async () => {
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

  it('X79 is visible to others only while its owner has the profile public', async () => {
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
    // A shared cache would still serve it after the profile is hidden.
    expect((await open(url)).headers['cache-control']).toBe('private, max-age=3600');
    await allow(false);
    expect(await seen()).toEqual([404, 404]);
    expect((await open('/api/files/00000000-0000-4000-8000-000000000000', anna.bearer)).statusCode).toBe(404);
    expect((await open('/api/files/..%2f..%2fpackage.json', anna.bearer)).statusCode).toBe(400);
  });

  it('DATA-006 is deleted when another replaces it, and when it is removed', async () => {
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

  it('beyond 20 files or 20 MiB is rejected and leaves nothing', async () => {
    const keep = (count: number, bytes: number) =>
      test.database.asOwner(
        `insert into stored_files (user_id, kind, path, media_type, byte_count, width, height)
         select $1::text::uuid, 'cover', $1::text || '/' || (1000000000000 + n) || '.webp', 'image/webp', $3::int, 1, 1 from generate_series(1, $2::int) n`,
        [anna.id, count, bytes],
      );
    await keep(20, 10);
    expect((await send(await png())).json()).toMatchObject({ status: 409, code: 'quota_exceeded' });
    expect(await filesOf(anna.id)).toEqual([]);
    // Unused files were deleted, so the next upload fits.
    expect((await send(await png())).statusCode).toBe(200);
    await test.database.asOwner('delete from stored_files where user_id = $1', [anna.id]);
    await keep(5, 4 * mebibyte);
    expect((await send(await png())).json()).toMatchObject({ code: 'quota_exceeded' });
  });

  it('requires a session, before a byte is read', async () => {
    for (const kind of ['avatar', 'cover']) {
      expect((await send(await png(), { authorization: 'Bearer no' }, kind)).statusCode).toBe(401);
      expect((await test.app.inject({ method: 'DELETE', url: `/api/profile/${kind}` })).statusCode).toBe(401);
    }
  });
});
