import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBadText } from '../../src/platform/findBadText.ts';
import { bodyBytesMax } from '../../src/platform/http/createServer.ts';
import { JSON_DEPTH_MAX } from '../../src/platform/http/jsonBody.ts';
import type { RateLimiter } from '../../src/platform/limits/rateLimiter.ts';
import { createMarketApp, type MarketApp } from '../support/createMarketApp.ts';
import { ownOrigin } from '../support/createTestApp.ts';
import { apiPaths } from './apiDocument.ts';
import type { Schema } from './schemaArbitrary.ts';

/**
 * How long an anonymous request can block the event loop. Measures processor time of this thread, not wall time, so that other
 * programs on a busy machine do not count.
 */
let test: MarketApp;
const unlimited: RateLimiter = {
  hit: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
};
beforeAll(async () => {
  test = await createMarketApp({ deps: { limiter: unlimited } });
  // Warm up: compiling code at its first run is not part of the cost of a body.
  for (let i = 0; i < 20; i++) await send({ url: '/api/auth/signin', payload: '{"email":1}' });
});
afterAll(() => test.close());

interface Sent {
  url: string;
  payload: string;
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
}
const send = ({ url, payload, method = 'POST', headers = {} }: Sent) =>
  test.app.inject({
    method,
    url,
    payload,
    headers: { 'content-type': 'application/json', origin: ownOrigin, ...headers },
  } satisfies InjectOptions);

/** Processor time of this thread, ms. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The minimum of several runs: garbage collection for an earlier test is not part of the cost. */
async function leastCpuMs(work: () => Promise<unknown>, enoughMs = requestMsMax): Promise<number> {
  let leastMs = await cpuMsOf(work);
  for (let i = 0; i < 4 && leastMs > enoughMs; i++) leastMs = Math.min(leastMs, await cpuMsOf(work));
  return leastMs;
}

/** Beside 5 ms for the body: request, hooks, response and inject. */
const requestMsMax = 10;

const kib = 1024;
const deepBodies: Record<string, string> = {
  lists: '['.repeat(5 * kib) + ']'.repeat(5 * kib),
  objects: '{"a":'.repeat(2 * kib) + '1' + '}'.repeat(2 * kib),
  'lists in a field': `{"email":${'['.repeat(5 * kib)}${']'.repeat(5 * kib)}}`,
  'lists and objects in turn': '[{"a":'.repeat(kib) + '[]' + '}]'.repeat(kib),
  'lists without an end': '['.repeat(10 * kib),
  'one level too many': '['.repeat(JSON_DEPTH_MAX + 1) + ']'.repeat(JSON_DEPTH_MAX + 1),
};

describe('a body that is nested too deeply', () => {
  it.each(Object.entries(deepBodies))('is rejected with the limit: %s', async (_name, payload) => {
    const response = await send({ url: '/api/auth/signin', payload });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ message: string }>().message).toBe(
      `The body is nested too deeply. Send at most ${JSON_DEPTH_MAX} levels of objects and lists.`,
    );
  });

  it('is rejected on every route that reads JSON, signed in too', async () => {
    const { bearer } = await test.signUp();
    const payload = '['.repeat(5 * kib) + ']'.repeat(5 * kib);
    for (const url of ['/api/backtest', '/api/futures-signal', '/api/technical-indicators', '/api/watchlist']) {
      const response = await send({ url, payload, headers: bearer });
      expect([400, 422], `${url} ${response.body}`).toContain(response.statusCode);
    }
  });

  it('may have brackets in its texts', async () => {
    const payload = JSON.stringify({ email: `${'['.repeat(100)}"\\{`, password: 'x' });
    const response = await send({ url: '/api/auth/signin', payload });
    expect(response.json<{ message: string }>().message).not.toMatch(/nested/);
  });

  it('forty of them of 10 KB block the thread only briefly, and health responds between them', async () => {
    const urls = ['/api/auth/signin', '/api/auth/signup', '/mcp', '/api/none'];
    const bodies = Object.values(deepBodies).slice(0, 5);
    const health = () => test.app.inject({ url: '/api/health' });
    let status = 0;
    const cpuMs = await cpuMsOf(async () => {
      const attack = Array.from({ length: 40 }, (_, i) =>
        send({ url: urls[i % urls.length] ?? '', payload: bodies[i % bodies.length] ?? '' }),
      );
      status = (await health()).statusCode;
      await Promise.all(attack);
    });
    expect(status).toBe(200);
    expect(cpuMs).toBeLessThan(41 * requestMsMax);
  });
});

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: object[];
}
interface Call {
  method: 'POST';
  url: string;
  operation: Operation;
  isPublic: boolean;
}
const calls: Call[] = Object.entries(apiPaths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase() as 'POST',
    url: path.replace(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000'),
    operation,
    isPublic: operation.security === undefined || operation.security.length === 0,
  })),
);
const withBody = calls.filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined);
const publicOnes = withBody.filter(({ isPublic }) => isPublic);

/** Texts that expose patterns of bad complexity. */
const hostileTexts = (length: number): string[] =>
  ['a', ' ', '0', 'a@', 'a.', '-', '%', 'A1', '\t', '\\u00e9', '<', '(', 'a@a.'].map((part) =>
    part.repeat(Math.floor(length / part.length)),
  );

/** One body per field and kind of value, of the maximum size for anonymous callers. */
function hostileBodies({ operation }: Call): string[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const names = Object.keys(schema?.properties ?? schema?.anyOf?.[0]?.properties ?? { any: {} });
  const room = bodyBytesMax.public - 200;
  const values = [
    ...hostileTexts(room).map((text) => `"${text}"`),
    ...hostileTexts(room - 10).map((text) => `"a${text}!@"`),
    `[${'{},'.repeat(room / 3 - 2)}{}]`,
    `[${'0,'.repeat(room / 2 - 2)}0]`,
    `{${Array.from({ length: Math.floor(room / 9) }, (_, i) => `"${i}":0`).join(',')}}`,
    `[${'"\\u0001",'.repeat(room / 9 - 2)}"\\ud800"]`,
    '9'.repeat(room),
  ];
  return [
    ...names.flatMap((name) => values.map((value) => `{"${name}":${value}}`)),
    `{${Array.from({ length: Math.floor(room / 9) }, (_, i) => `"${i}":0`).join(',')}}`,
    '"'.repeat(room),
    '\\'.repeat(room),
  ].filter((body) => body.length <= bodyBytesMax.public);
}

describe('a body of an anonymous caller', () => {
  it.each(publicOnes)('$method $url costs a few milliseconds, whatever it holds', async (call) => {
    const dear: string[] = [];
    for (const payload of hostileBodies(call)) {
      const ms = await leastCpuMs(() => send({ ...call, payload }));
      if (ms > requestMsMax) dear.push(`${ms.toFixed(1)} ms: ${payload.slice(0, 60)}`);
    }
    expect(dear).toEqual([]);
  });

  const filler = '[0,'.repeat(10) + '0,'.repeat(450 * kib);

  it.each(withBody)('$method $url does not read a large one before its sender is known', async (call) => {
    const response = await send({ ...call, payload: filler });
    // Too large, or not signed in; never "not valid JSON", which only parsing could find.
    expect([401, 413, 404], response.body).toContain(response.statusCode);
  });

  it.each(['/api/none', '/none', '/mcp'])('is not read at %s either', async (url) => {
    const response = await send({ url, payload: filler });
    // The MCP server compares the origin first.
    expect([401, 403, 404, 413], response.body).toContain(response.statusCode);
  });

  const publicReads = calls.filter(({ method, isPublic }) => (method as string) === 'GET' && isPublic);
  it.each(publicReads)('$method $url costs a few milliseconds, whatever its query holds', async (call) => {
    const names = [...(call.operation.parameters ?? []).filter((each) => each.in === 'query').map((p) => p.name), 'x'];
    const queries = names.flatMap((name) => [
      ...hostileTexts(4 * kib).map((text) => `${name}=${encodeURIComponent(text).slice(0, 12 * kib)}`),
      `${name}=${'a,'.repeat(5 * kib)}`,
      `${name}=a&`.repeat((12 * kib) / (name.length + 3)),
    ]);
    const get = (query: string) => test.app.inject({ method: 'GET', url: `${call.url}?${query}` });
    // A long document takes its time without a query, too.
    const usualMs = await leastCpuMs(() => get(''), 1);
    const dear: string[] = [];
    for (const query of queries) {
      const ms = (await leastCpuMs(() => get(query), usualMs + requestMsMax)) - usualMs;
      if (ms > requestMsMax) dear.push(`${ms.toFixed(1)} ms: ${query.slice(0, 60)}`);
    }
    expect(dear).toEqual([]);
  });

  it('has headers that cost a few milliseconds, whatever they hold', async () => {
    const dear: string[] = [];
    for (const name of ['cookie', 'authorization', 'x-api-key', 'accept', 'origin', 'x-forwarded-for', 'if-none-match'])
      for (const text of [
        ...hostileTexts(12 * kib),
        'a=b; '.repeat(2400),
        '1.1.1.1, '.repeat(1300),
        'Bearer '.repeat(1700),
      ]) {
        const get = () => test.app.inject({ method: 'GET', url: '/api/account/whoami', headers: { [name]: text } });
        const ms = await leastCpuMs(get);
        if (ms > requestMsMax) dear.push(`${name} ${ms.toFixed(1)} ms: ${text.slice(0, 40)}`);
      }
    expect(dear).toEqual([]);
  });
});

describe('a text that cannot be stored', () => {
  const half = '\ud800';
  it.each([
    ['a field', { name: half }, 'name'],
    ['a list', { names: ['a', 1, 'b\0'] }, 'names.2'],
    ['an object in a list', { rows: [{ a: 1 }, { b: { c: half } }] }, 'rows.1.b.c'],
    ['a name', { row: { [half]: 1 } }, 'row'],
    ['a text alone', '\0', ''],
  ])('is found in %s', (_where, value, path) => {
    expect(findBadText(value)).toBe(path);
  });

  it('is found at any depth, in time that grows only with the size', async () => {
    const nest = (depth: number): unknown => {
      let value: unknown = half;
      for (let i = 0; i < depth; i++) value = [value];
      return value;
    };
    expect(findBadText(nest(100_000))).toHaveLength(2 * 100_000 - 1);
    const flat = Array.from({ length: 100_000 }, () => []);
    expect(await leastCpuMs(() => Promise.resolve(findBadText({ flat })))).toBeLessThan(200);
  });
});
