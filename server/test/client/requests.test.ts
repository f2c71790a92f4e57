import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../client/src/client.ts';
import type { SextantError } from '../../client/src/errors.ts';
import { retryAfterOf } from '../../client/src/request.ts';
import { listenOnServer } from './listenOnServer.ts';

/** A server of the test: it records requests and sends the next prepared response, the last one again and again. */
type Respond = (response: ServerResponse, request: IncomingMessage) => void;
let server: Server;
let client: Client;
let baseUrl: string;
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let responses: Respond[];
beforeEach(async () => {
  requests = [];
  responses = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const respond = responses.length > 1 ? responses.shift() : responses[0];
      respond?.(response, request);
    });
  });
  baseUrl = await listenOnServer(server);
  client = createClient({ baseUrl: `${baseUrl}/`, key: 'sx_test_abc' });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, headers: Record<string, string> = {}): Respond =>
  json(status, { code, message: `It is ${code}.`, request_id: 'r1' }, headers);
const drop: Respond = (response) => response.destroy();
const failureOf = (work: Promise<unknown>): Promise<SextantError> =>
  work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: unknown) => error as SextantError,
  );
const scan = { body: { symbols: ['BTCUSDT'], intervals: ['1h' as const] } };
const keysSent = (): unknown[] => requests.map(({ headers }) => headers['idempotency-key']);

describe('a call of the client', () => {
  it('PKG-043 sends key, query, path and body, and reads JSON, text and bytes', async () => {
    responses = [
      json(200, { price: 5 }, { ratelimit: '"hour";r=41;t=900' }),
      (response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from([1, 2, 3])),
      (response) => response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('curl'),
    ];
    expect(client.rateLimit).toBeNull();
    expect(await client.get('/api/price', { query: { symbol: 'BTC&USDT' } })).toEqual({ price: 5 });
    expect(client.rateLimit).toEqual({ remaining: 41, resetS: 900 });
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/api/price?symbol=BTC%26USDT' });
    expect(requests[0]?.headers['x-api-key']).toBe('sx_test_abc');
    const bytes = await client.get('/api/backtest/searches/{id}/trials', { path: { id: 'a/b' } });
    expect([...bytes]).toEqual([1, 2, 3]);
    expect(requests[1]?.url).toBe('/api/backtest/searches/a%2Fb/trials');
    expect(await client.get('/api/collections/curl.txt')).toBe('curl');
    expect(client.isTest).toBe(true);
    expect(createClient({ baseUrl, key: 'sx_live_abc' }).isTest).toBe(false);
  });

  it('PKG-044 waits as long as Retry-After states, then repeats with the same idempotency key', async () => {
    responses = [problem(429, 'rate_limited', { 'retry-after': '1' }), json(202, { id: 'scan' })];
    const startMs = performance.now();
    expect(await client.post('/api/scan', scan)).toEqual({ id: 'scan' });
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(995);
    const [first, second] = keysSent();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(requests[1]?.body).toBe(JSON.stringify(scan.body));
    await client.post('/api/scan', { ...scan, idempotencyKey: 'mine' });
    await client.post('/api/scan', scan);
    expect(keysSent()[2]).toBe('mine');
    expect(keysSent()[3]).not.toBe(first);
  });

  it('PKG-044 repeats a lost response only where a second run does no harm', async () => {
    const body = { url: 'https://example.com/', events: ['credits.low' as const] };
    for (const lost of [drop, problem(503, 'database_unavailable', { 'retry-after': '0' })]) {
      for (const [work, count] of [
        [() => client.post('/api/webhooks', { body }), 1],
        [() => client.get('/api/webhooks'), 2],
        [() => client.post('/api/scan', scan), 2],
        [() => client.post('/api/webhooks', { body, isRepeatable: true }), 2],
      ] as [() => Promise<unknown>, number][]) {
        requests = [];
        responses = [lost, json(200, {})];
        const error = await work().then(
          () => undefined,
          (failure: unknown) => failure,
        );
        expect(requests).toHaveLength(count);
        expect(error === undefined).toBe(count === 2);
      }
    }
    // A proxy's 503 without a problem.
    responses = [(response) => response.writeHead(503).end('<html>')];
    const error = await failureOf(client.post('/api/webhooks', { body }));
    expect([error.code, error.status]).toEqual(['bad_response', 503]);
  });

  it('PKG-044 gives up after five attempts, and at once when the pause is longer than the caller waits', async () => {
    responses = [problem(429, 'rate_limited', { 'retry-after': '0' })];
    const quick = createClient({ baseUrl, retryWaitMsMax: 30_000 });
    expect((await failureOf(quick.get('/api/credits'))).code).toBe('rate_limited');
    expect(requests).toHaveLength(5);
    requests = [];
    responses = [problem(429, 'rate_limited', { 'retry-after': '3600' })];
    const error = await failureOf(client.get('/api/credits'));
    expect([error.retryAfterS, requests.length]).toEqual([3600, 1]);
    expect([retryAfterOf('12'), retryAfterOf(null), retryAfterOf('soon')]).toEqual([12, undefined, undefined]);
    expect(retryAfterOf('Thu, 01 Jan 2026 00:00:30 GMT', Date.UTC(2026, 0, 1))).toBe(30);
  });

  it('PKG-045 fails by a code: of the API, of the network, after its time, and when it is cancelled', async () => {
    responses = [json(400, { code: 'validation_failed', message: 'x', field: 'symbol', request_id: 'r9' })];
    expect(await failureOf(client.get('/api/credits'))).toMatchObject({
      name: 'SextantError',
      code: 'validation_failed',
      status: 400,
      field: 'symbol',
      requestId: 'r9',
    });
    const once = createClient({ baseUrl, retryWaitMsMax: 0 });
    responses = [drop];
    expect((await failureOf(once.get('/api/credits'))).code).toBe('network');
    responses = [() => undefined];
    expect((await failureOf(once.get('/api/credits', { timeoutMs: 50 }))).code).toBe('timeout');
    const stop = new AbortController();
    const waiting = failureOf(client.get('/api/credits', { signal: stop.signal }));
    await expect.poll(() => requests.length).toBeGreaterThan(2);
    stop.abort();
    expect((await waiting).code).toBe('cancelled');
    // A pause before a retry is cancelled, too.
    responses = [problem(429, 'rate_limited', { 'retry-after': '30' })];
    const paused = new AbortController();
    requests = [];
    const pausing = failureOf(client.get('/api/credits', { signal: paused.signal }));
    await expect.poll(() => requests.length).toBe(1);
    paused.abort();
    expect((await pausing).code).toBe('cancelled');
    responses = [(response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{')];
    expect((await failureOf(client.get('/api/credits'))).code).toBe('bad_response');
  });

  it('PKG-045 never carries the key to the target of a redirect, and rejects options that cannot work', async () => {
    let stolen = 0;
    const other = createServer((_request, response) => {
      stolen += 1;
      response.end('{}');
    });
    const target = await listenOnServer(other);
    responses = [(response) => response.writeHead(307, { location: `${target}/api/credits` }).end()];
    const once = createClient({ baseUrl, key: 'sx_live_abc', retryWaitMsMax: 0 });
    expect((await failureOf(once.get('/api/credits'))).code).toBe('network');
    expect(stolen).toBe(0);
    other.close();
    expect(() => createClient({ baseUrl: 'sextant.example' })).toThrow('baseUrl: must be an http or https address');
    expect(() => createClient({ baseUrl, key: 'abc' })).toThrow('key: must look like');
    expect(() => client.get('/api/backtest/searches/{id}', { path: { id: '' } })).toThrow('path.id: is missing');
  });
});
