import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/app.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
let webDir: string;
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'sextant-web-'));
  await mkdir(join(webDir, 'assets'));
  await writeFile(join(webDir, 'index.html'), '<!doctype html><title>Sextant</title>');
  await writeFile(join(webDir, 'login.html'), '<!doctype html><title>Sextant</title><link href="%ORIGIN%/login" />');
  await writeFile(join(webDir, 'outbox.html'), '<!doctype html><title>Outbox</title>');
  await writeFile(join(webDir, 'status.html'), '<!doctype html><title>Status</title>');
  await writeFile(join(webDir, '.signed-in.html'), '<!doctype html><title>The product</title>');
  await writeFile(join(webDir, '.signed-in.json'), JSON.stringify(['/', '/login']));
  await writeFile(join(webDir, 'sitemap.xml'), '<loc>%ORIGIN%/</loc>');
  await writeFile(join(webDir, '.built-from'), 'a stamp of the build');
  await writeFile(join(webDir, 'assets/index-abc123.js'), 'export {}');
  await writeFile(join(webDir, 'assets/engine-abc123.wasm'), new Uint8Array([0, 97, 115, 109]));
  await writeFile(join(webDir, 'assets/index-abc123.js.gz'), gzipSync('export {}'));
  test = await createTestApp({ env: { PUBLIC_URL: 'https://sextant.example' }, deps: { webDir } });
  test.app = await buildApp(test.deps);
});
afterAll(async () => {
  await test.close();
  await rm(webDir, { recursive: true });
});

const get = (url: string) => test.app.inject({ url });

describe('the built web', () => {
  it('is sent for every page, and revalidated each time', async () => {
    for (const url of ['/', '/?tab=funds', '/login', '/login?back=1']) {
      const response = await get(url);
      expect(response.body, url).toContain('<title>Sextant</title>');
      expect(response.headers['cache-control'], url).toBe('no-cache');
      expect(response.headers['content-security-policy'], url).toContain("script-src 'self'");
    }
  });

  it('redirects every path that is no page to /, but none of the API', async () => {
    for (const url of ['/some/page?tab=funds', '/index.html', '/login.html', '/features', '/nope']) {
      const response = await get(url);
      expect([response.statusCode, response.headers.location], url).toEqual([302, '/']);
    }
    expect((await get('/api-documentation')).statusCode).toBe(200);
    expect((await get('/api-documentation/nothing')).statusCode).toBe(404);
    expect((await test.app.inject({ method: 'HEAD', url: '/nowhere' })).headers.location).toBe('/');
  });

  it('returns 404 for a file or a call that does not exist: only pages redirect to /', async () => {
    const files = [
      '/nope.js',
      '/nope.js?v=2',
      '/nope.map',
      '/assets/nope.js',
      '/deep/nope.png',
      '/nope.tar.gz',
      '/.env',
    ];
    const calls = ['/api/nope', '/api/', '/api', '/API/nope', '/api/watchlist/a/b', '/api-documentation/nope'];
    for (const url of [...files, '/.git/config', '/.built-from', '/favicon.ico', ...calls]) {
      const response = await get(url);
      expect([response.statusCode, response.json<{ code: string }>().code], url).toEqual([404, 'not_found']);
      expect(response.headers.location, url).toBeUndefined();
    }
  });

  it('leaves out the page of a demo outside a demo', async () => {
    const response = await get('/outbox');
    expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('writes the URL of this installation into what search engines read', async () => {
    expect((await get('/login')).body).toContain('href="https://sextant.example/login"');
    const sitemap = await get('/sitemap.xml');
    expect(sitemap.body).toBe('<loc>https://sextant.example/</loc>');
    expect(sitemap.headers['content-type']).toContain('application/xml');
  });

  it('is sent compressed to clients that accept it, and as 304 to clients that have it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const page = await test.app.inject({ url: '/login', headers });
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(page.rawPayload).toString()).toContain('<title>Sextant</title>');
    const script = await test.app.inject({ url: '/assets/index-abc123.js', headers });
    expect(gunzipSync(script.rawPayload).toString()).toBe('export {}');
    expect(script.headers['content-type']).toContain('javascript');
    const rejected = await test.app.inject({ url: '/login', headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(rejected.headers['content-encoding']).toBeUndefined();
    const again = await test.app.inject({ url: '/login', headers: { 'if-none-match': String(page.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('caches files with a hash in their name for a year', async () => {
    const response = await get('/assets/index-abc123.js');
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/assets/engine-abc123.wasm')).headers['content-type']).toBe('application/wasm');
  });

  it('is never sent for a missing call or file', async () => {
    for (const url of ['/api/nothing', '/api', '/assets/missing.js', '/missing.png']) {
      const response = await get(url);
      expect([response.statusCode, response.headers['content-type']], url).toEqual([404, 'application/problem+json']);
    }
    const post = await test.app.inject({ method: 'POST', url: '/login', payload: {} });
    expect(post.statusCode).toBe(404);
  });

  describe('for signed-in users', () => {
    const titleOf = async (app: typeof test.app, url: string, cookie?: string) => {
      const { body, headers } = await app.inject({ url, ...(cookie === undefined ? {} : { headers: { cookie } }) });
      return [/<title>(.*)<\/title>/.exec(body)?.[1], headers.vary];
    };

    it('X19 is the app on public URLs, until the session ends', async () => {
      const { browser } = await test.signUp();
      const varying = 'accept-encoding, cookie';
      for (const url of ['/', '/?tab=backtest', '/login']) {
        expect(await titleOf(test.app, url, browser.cookie), url).toEqual(['The product', varying]);
        expect(await titleOf(test.app, url), url).toEqual(['Sextant', varying]);
        expect(await titleOf(test.app, url, 'sextant.session_token=made.up'), url).toEqual(['Sextant', varying]);
      }
      expect((await titleOf(test.app, '/status', browser.cookie))[0]).toBe('Status');
      for (const url of ['/.signed-in', '/.signed-in.html', '/.signed-in.json'])
        expect((await get(url)).statusCode, url).not.toBe(200);
      const headers = { ...browser, origin: 'https://sextant.example' };
      const left = await test.app.inject({ method: 'POST', url: '/api/auth/signout', headers });
      expect(left.statusCode).toBe(200);
      expect((await titleOf(test.app, '/', browser.cookie))[0]).toBe('Sextant');
    });

    it('passes on the cookie that renews the session, and stays out of shared caches', async () => {
      const { id, browser } = await test.signUp();
      // Older than a day: the next session check renews it.
      await test.database.asOwner(
        `update sessions set expires_at = expires_at - interval '2 days' where user_id = $1`,
        [id],
      );
      const page = await test.app.inject({ url: '/', headers: { cookie: browser.cookie } });
      expect(String(page.headers['set-cookie'])).toMatch(/session_token=[^;]{20,}; Max-Age=604800/);
      expect([page.headers['cache-control'], (await get('/')).headers['cache-control']]).toEqual([
        'private, no-cache',
        'no-cache',
      ]);
    });

    it("is never the browser's cached copy of the other page", async () => {
      const { browser } = await test.signUp();
      const { headers } = await get('/');
      const etag = String(headers.etag);
      const stored = await test.app.inject({ url: '/', headers: { cookie: browser.cookie, 'if-none-match': etag } });
      expect([stored.statusCode, stored.body]).toEqual([200, expect.stringContaining('The product')]);
    });

    it('is the app, which reports what it cannot reach, while sessions cannot be read', async () => {
      const failing = { getSession: () => Promise.reject(new Error('no database')) };
      const hanging = { getSession: () => new Promise<never>(() => undefined) };
      for (const responses of [failing, hanging]) {
        const app = await buildApp({ ...test.deps, auth: { ...test.deps.auth, ...responses } });
        expect((await titleOf(app, '/', 'sextant.session_token=some.one'))[0]).toBe('The product');
        await app.close();
      }
    });
  });

  it('stays inside its folder', async () => {
    for (const url of [
      '/../package.json',
      '/..%2f..%2fetc/passwd',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
    ]) {
      expect((await get(url)).body, url).not.toMatch(/root:|"name"/);
    }
  });

  it.each([
    ['//evil.test/', 404],
    // No such page, so it redirects to /.
    ['/%2e%2e/%2e%2e/etc/passwd', 302],
    ['/index.html%00', 404],
    ['/foo\\bar', 302],
    ['/foo%5cbar', 404],
    [`/${'a'.repeat(9000)}`, 404],
    ['/index.html/x.js', 404],
  ])('returns no server error for the strange path %s', async (url, status) => {
    expect((await get(url)).statusCode).toBe(status);
  });

  it('a wrong method on a call is still a 405', async () => {
    expect((await test.app.inject({ method: 'DELETE', url: '/api/health' })).statusCode).toBe(405);
  });
});
