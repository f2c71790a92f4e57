import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildApp } from '../../../src/app.ts';
import { apiErrors } from '../../../src/platform/errors.ts';
import { problems, Problem } from '../../../src/platform/http/problem.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await createTestApp();
  const schema = {
    access: 'public' as const,
    sandbox: 'none' as const,
    body: z.strictObject({ count: z.number(), inner: z.strictObject({ flag: z.boolean() }).optional() }),
    querystring: z.strictObject({ limit: z.coerce.number().int().max(5).optional() }),
    response: { 200: z.object({ count: z.number() }), ...problems('validation_failed') },
  };
  // A new app, because routes cannot be added to a ready one.
  const app = await buildApp(test.deps);
  await test.app.close();
  test.app = app;
  app.post('/api/probe', { schema }, (request) => ({ count: request.body.count }));
  app.get('/api/probe/:id', { schema: { access: 'public', sandbox: 'none' } }, () => {
    throw new Error('connection string postgres://owner:hunter2@db/sextant');
  });
  const wrong = {
    access: 'public' as const,
    sandbox: 'none' as const,
    response: { 200: z.object({ count: z.number() }) },
  };
  app.get('/api/wrong-response', { schema: wrong }, () => ({ count: Number.NaN }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => test.close());

const post = (payload: string | object, headers: Record<string, string> = {}, query = '') =>
  test.app.inject({ method: 'POST', url: `/api/probe${query}`, payload, headers });

/** The response to raw bytes. */
const raw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (response += chunk.toString()));
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });

describe('ERR-004 every error is a problem from the catalogue', () => {
  const json = { 'content-type': 'application/json' };
  it.each<[string, () => ReturnType<typeof post>, keyof typeof apiErrors, string?]>([
    ['a wrong type', () => post({ count: '5' }), 'validation_failed', 'count'],
    ['null instead of a number', () => post({ count: null }), 'validation_failed', 'count'],
    ['a number too large for JSON', () => post('{"count":1e999}', json), 'validation_failed', 'count'],
    ['an unknown field', () => post({ count: 1, isAdmin: true }), 'validation_failed', 'isAdmin'],
    ['a wrong inner field', () => post({ count: 1, inner: { flag: 1 } }), 'validation_failed', 'inner.flag'],
    ['a wrong query', () => post({ count: 1 }, {}, '?limit=6'), 'validation_failed', 'limit'],
    ['an unknown query', () => post({ count: 1 }, {}, '?debug=1'), 'validation_failed', 'debug'],
    ['broken JSON', () => post('{"count":', json), 'validation_failed'],
    ['an empty body', () => post('', json), 'validation_failed'],
    ['no body', () => test.app.inject({ method: 'POST', url: '/api/probe' }), 'validation_failed'],
    ['a prototype key', () => post('{"count":1,"__proto__":{"x":1}}', json), 'validation_failed'],
    ['a constructor key', () => post('{"count":1,"constructor":{"prototype":{}}}', json), 'validation_failed'],
    ['XML', () => post('<count>1</count>', { 'content-type': 'application/xml' }), 'unsupported_media_type'],
    [
      'a form',
      () => post('count=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      'unsupported_media_type',
    ],
    ['plain text', () => post('count=1', { 'content-type': 'text/plain' }), 'unsupported_media_type'],
    [
      'an unusual method with a body of no type',
      () => test.app.inject({ method: 'QUERY' as 'POST', url: '/api/probe', payload: '{}' }),
      'unsupported_media_type',
    ],
    ['more than 1 MiB', () => post({ count: 1, more: 'x'.repeat(1024 * 1024) }), 'payload_too_large'],
    ['an unknown path', () => test.app.inject({ url: '/api/nothing' }), 'not_found'],
    ['an unknown file', () => test.app.inject({ url: '/assets/nothing.js' }), 'not_found'],
    ['a wrong method', () => test.app.inject({ method: 'DELETE', url: '/api/probe' }), 'method_not_allowed'],
    ['a path that cannot be decoded', () => test.app.inject({ url: '/api/%E0%A4%A' }), 'validation_failed'],
    ['no session', () => test.app.inject({ url: '/api/preferences' }), 'not_authenticated'],
    ['a bug', () => test.app.inject({ url: '/api/probe/1' }), 'internal'],
    ['a response that breaks its own contract', () => test.app.inject({ url: '/api/wrong-response' }), 'internal'],
  ])('%s', async (_name, send, code, field) => {
    const response = await send();
    expect(response.headers['content-type']).toBe('application/problem+json');
    const body = Problem.strict().parse(response.json());
    expect(body).toMatchObject({ code, error: code, status: apiErrors[code].status, title: apiErrors[code].title });
    expect(response.statusCode).toBe(apiErrors[code].status);
    expect(body.request_id).toBe(response.headers['x-request-id']);
    expect(body.field).toBe(field);
    expect(response.body).not.toMatch(/hunter2|postgres:|\.ts:|node_modules|FST_/);
  });

  it('a wrong method returns the allowed ones, on paths with parameters too', async () => {
    const response = await test.app.inject({ method: 'PUT', url: '/api/probe/7?x=1' });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD']);
    const preferences = await test.app.inject({ method: 'POST', url: '/api/preferences', payload: {} });
    expect([preferences.statusCode, preferences.headers.allow]).toEqual([405, 'GET, HEAD, PUT']);
  });

  it('bytes that are not HTTP', async () => {
    const [head = '', body = ''] = (await raw('GET / HTTP/9.9\r\n\r\n')).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 .*content-type: application\/problem\+json/s);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ code: 'validation_failed' });
  });

  it('says in a sentence what to change', async () => {
    expect((await post({ count: 1, isAdmin: true })).json()).toMatchObject({
      message: 'isAdmin: is not known here; remove it',
    });
    expect((await post({ count: 1 }, {}, '?limit=6')).json<{ message: string }>().message).toMatch(/^limit: .*5/);
  });
});

describe('the API document', () => {
  it('states for every body of account and settings that it may be of the wrong type or too large', async () => {
    const document = (await test.app.inject({ url: '/api/openapi.json' })).json<{
      paths: Record<string, Record<string, { requestBody?: unknown; responses: Record<string, unknown> }>>;
    }>();
    const withBody = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods)
        .filter(({ requestBody }) => requestBody !== undefined && /^\/api\/(auth|preferences)/.test(path))
        .map(({ responses }) => ({ path, statuses: Object.keys(responses) })),
    );
    expect(withBody.length).toBeGreaterThanOrEqual(12);
    for (const { path, statuses } of withBody) expect(statuses, path).toEqual(expect.arrayContaining(['413', '415']));
  });
});

describe('every response', () => {
  it.each(['/api/health', '/api/nothing', '/api/preferences'])('of %s has the security headers', async (url) => {
    const { headers } = await test.app.inject({ url });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script';trusted-types default");
    expect(policy, 'cards are not set up here').toContain("frame-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline|'unsafe-eval'|\*/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});
