import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => (test = await createTestApp()));
afterAll(() => test.close());

const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers });

it('the reference loads scripts of the same origin only, under a separate policy', async () => {
  const page = await get('/api-documentation');
  const sources = [...page.body.matchAll(/<script[^>]*>/g)].map(([tag]) => /src="([^"]+)"/.exec(tag)?.[1]);
  expect(sources).toEqual(['/api-documentation/reference.js', '/api-documentation/start.js']);
  expect(page.body).not.toMatch(/https?:\/\//);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
  // Every other page keeps the stricter one.
  const plain = await get('/api-documentation/plain');
  expect(plain.statusCode).toBe(200);
  expect(String(plain.headers['content-security-policy'])).not.toContain("style-src 'self' 'unsafe-inline'");
  expect((await get('/api-documentation/start.js')).body).toContain('"url":"/api/openapi.json"');
});

it('the script is Scalar from its package, in the encoding that the browser accepts', async () => {
  const url = '/api-documentation/reference.js';
  const identity = await get(url);
  expect(identity.body).toContain('createApiReference');
  expect(brotliDecompressSync((await get(url, { 'accept-encoding': 'gzip, br' })).rawPayload)).toEqual(
    identity.rawPayload,
  );
  expect(gunzipSync((await get(url, { 'accept-encoding': 'gzip' })).rawPayload)).toEqual(identity.rawPayload);
  const etag = String(identity.headers.etag);
  expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304);
});
