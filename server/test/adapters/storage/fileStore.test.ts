import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startStorage, type StorageFake } from '../../../fakes/storage/server.ts';
import { createDiskStore, createS3Store } from '../../../src/adapters/storage/createFileStore.ts';
import type { FileStore } from '../../../src/features/profile/files/port.ts';
import { createTestApp } from '../../support/createTestApp.ts';
import { largePng, png } from '../../features/profile/pictures.ts';

const anna = '11111111-1111-4111-8111-111111111111';
const bert = '22222222-2222-4222-8222-222222222222';
const key = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret key of the test' };
const bytes = Buffer.from('RIFF....WEBP and some more');

let storage: StorageFake;
let root: string;
let stores: Record<'disk' | 's3', FileStore>;
beforeAll(async () => {
  storage = await startStorage(key);
  root = await mkdtemp(join(tmpdir(), 'sextant-store-'));
  const bucket = { bucket: storage.bucket, region: 'us-east-1', endpoint: storage.url };
  stores = { disk: createDiskStore(root), s3: createS3Store({ ...bucket, ...key }) };
});
afterAll(async () => {
  stores.s3.close();
  await storage.close();
  await rm(root, { recursive: true, force: true });
});
afterEach(() => storage.setScenario('ok'));

const textOf = async (stream: Readable | null): Promise<string | null> => {
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

describe.each(['disk', 's3'] as const)('files on %s', (name) => {
  it('are written, read, listed by owner and removed', async () => {
    const store = stores[name];
    expect(await store.write(`${anna}/1700000000001.webp`, bytes)).toEqual({ ok: true, value: undefined });
    await store.write(`${anna}/1700000000002.webp`, bytes);
    await store.write(`${bert}/1700000000001.webp`, bytes);
    expect(await textOf(await store.read(`${anna}/1700000000001.webp`))).toBe(bytes.toString());
    expect((await store.list(anna)).sort()).toEqual([`${anna}/1700000000001.webp`, `${anna}/1700000000002.webp`]);
    await store.remove(`${anna}/1700000000001.webp`);
    await store.remove(`${anna}/1700000000001.webp`);
    expect(await store.list(anna)).toEqual([`${anna}/1700000000002.webp`]);
    expect(await store.list(bert)).toHaveLength(1);
    expect(await store.read(`${anna}/1700000000001.webp`)).toBeNull();
  });

  it('of a user without any are an empty list', async () => {
    expect(await stores[name].list('33333333-3333-4333-8333-333333333333')).toEqual([]);
  });

  it('are never overwritten (PROF-007)', async () => {
    const path = `${anna}/1700000000009.webp`;
    await stores[name].write(path, bytes);
    await expect(stores[name].write(path, Buffer.from('other'))).rejects.toMatchObject({
      rejection: { code: 'storage_unavailable' },
    });
    expect(await textOf(await stores[name].read(path))).toBe(bytes.toString());
  });
});

describe('a bucket', () => {
  it('that is overloaded or rejects the key is reported as unavailable', async () => {
    storage.setScenario('slowDown');
    const unavailable = { rejection: { code: 'storage_unavailable', retryAfterS: 5 } };
    await expect(stores.s3.write(`${anna}/1700000000010.webp`, bytes)).rejects.toMatchObject(unavailable);
    await expect(stores.s3.list(anna)).rejects.toMatchObject(unavailable);
    storage.setScenario('ok');
    const bucket = { bucket: storage.bucket, region: 'us-east-1', endpoint: storage.url };
    const stranger = createS3Store({ ...bucket, ...key, secretAccessKey: 'another one' });
    await expect(stranger.write(`${anna}/1700000000011.webp`, bytes)).rejects.toMatchObject(unavailable);
    stranger.close();
    expect(storage.objects.has(`${anna}/1700000000011.webp`)).toBe(false);
  });

  it('stores the pictures of the product when one is configured', async () => {
    const env = {
      S3_BUCKET: storage.bucket,
      S3_ENDPOINT: storage.url,
      S3_ACCESS_KEY_ID: key.accessKeyId,
      S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    };
    const test = await createTestApp({ env });
    const user = await test.signUp();
    const headers = { ...user.bearer, 'content-type': 'image/png' };
    const sent = await test.app.inject({ method: 'PUT', url: '/api/profile/cover', headers, payload: await png() });
    expect(sent.statusCode).toBe(200);
    const { cover_url: url } = sent.json<{ cover_url: string }>();
    const [path] = [...storage.objects.keys()].filter((each) => each.startsWith(user.id));
    expect(path).toMatch(/^[0-9a-f-]{36}\/\d{13}\.webp$/);
    const served = await test.app.inject({ url, headers: user.bearer });
    expect(served.rawPayload.equals(storage.objects.get(path!)!)).toBe(true);
    storage.setScenario('slowDown');
    const rejected = await test.app.inject({
      method: 'PUT',
      url: '/api/profile/avatar',
      headers,
      payload: await png(),
    });
    expect(rejected.json()).toMatchObject({ status: 503, code: 'storage_unavailable' });
    await test.close();
  });
});

/** Mounts a 2 MiB disk where the platform allows it. */
function mountSmallDisk(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  it('returns 507, leaves no partial file, and the service continues', async ({ skip }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sextant-small-'));
    const isMounted = mountSmallDisk(dataDir);
    if (!isMounted) {
      await rm(dataDir, { recursive: true, force: true });
      skip('mounting a small disk needs Linux and root');
    }
    const test = await createTestApp({ env: { DATA_DIR: dataDir } });
    try {
      const user = await test.signUp();
      const filled = createDiskStore(join(dataDir, 'files'));
      expect(await filled.write(`${bert}/1700000000001.webp`, Buffer.alloc(2_060_000))).toMatchObject({ ok: true });
      const whole = Buffer.alloc(1_000_000, 7);
      expect(await filled.write(`${anna}/1700000000001.webp`, whole)).toMatchObject({
        error: { code: 'storage_full' },
      });
      expect(await readdir(join(dataDir, 'files', anna))).toEqual([]);
      // Noise stays large as WebP: more than the free space.
      const headers = { ...user.bearer, 'content-type': 'image/png' };
      const payload = await largePng(1_200_000);
      const response = await test.app.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload });
      expect(response.json()).toMatchObject({ status: 507, code: 'storage_full' });
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(await readdir(join(dataDir, 'files', user.id))).toEqual([]);
      expect((await test.app.inject({ url: '/api/profile', headers: user.bearer })).json()).toMatchObject({
        avatar_url: null,
      });
      await filled.remove(`${bert}/1700000000001.webp`);
      const again = await test.app.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload });
      expect(again.statusCode).toBe(200);
    } finally {
      await test.close();
      execFileSync('umount', [dataDir]);
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
