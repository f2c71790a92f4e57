import fc from 'fast-check';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateLimiter } from '../../src/platform/limits/rateLimiter.ts';
import { createNode, makeKey, type Node } from '../features/apiKeys/support.ts';
import { createMarketApp, type MarketApp } from '../support/createMarketApp.ts';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import { ownOrigin, type TestUser } from '../support/createTestApp.ts';
import { apiPaths } from './apiDocument.ts';
import { garbage, nearlyValidFor, type Schema, validFor } from './schemaArbitrary.ts';

/**
 * Every call of the document with valid, nearly valid and arbitrary requests. Whatever is sent, the response is one that the document
 * declares. A case is sent with a session, with a live key that has every scope, or with a test key.
 * FUZZ_RUNS=2000 for the long run.
 */
const runs = Number(process.env.FUZZ_RUNS ?? 20);
/**
 * Each export holds the whole account with all calls of this run so far, so its cost grows with the square of the runs. A move of the
 * sandbox clock makes up to 210 scans.
 */
const heavyPaths = new Set(['/api/account/export', '/api/sandbox/clock']);
const runsOf = ({ path }: Call): number => (heavyPaths.has(path) ? Math.min(runs, 200) : runs);
const unsafe = new Set(['post', 'put', 'patch', 'delete']);

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}
interface Call {
  method: string;
  path: string;
  operation: Operation;
}

const calls: Call[] = Object.entries(apiPaths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);
/** Their responses never end, or they end the session that later calls need. */
const leftOut = new Set(['post /api/auth/signout', 'get /api/events']);
const requested = calls.filter(({ method, path }) => !leftOut.has(`${method} ${path}`));

/** Otherwise all but the first calls would reach the limit instead of the code behind it. */
const unlimited: RateLimiter = {
  hit: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
};

/** Long enough that calls with a key never reach the hourly limit. */
const callMs = 61_000;
const callers = ['session', 'key', 'test key'] as const;
type Caller = (typeof callers)[number];

let test: MarketApp;
let node: Node;
let user: TestUser;
let keyHeaders: Record<Exclude<Caller, 'session'>, Record<string, string>>;
let callCount = 0;
beforeAll(async () => {
  test = await createMarketApp({ deps: { limiter: unlimited } });
  const startMs = Date.now();
  // Only the clock of the hourly limits.
  node = await createNode(test, () => startMs + callCount * callMs);
  user = await test.signUp();
  const scopes = apiScopeNames;
  const [live, trial] = [await makeKey(test, user, { scopes }), await makeKey(test, user, { scopes, mode: 'test' })];
  keyHeaders = { key: live.header, 'test key': trial.header };
});
afterAll(async () => {
  await node.close();
  await test.close();
});

const headersOf = (caller: Caller): Record<string, string> =>
  caller === 'session' ? { ...user.bearer, origin: ownOrigin } : keyHeaders[caller];

const bodyOf = ({ requestBody }: Operation): Schema | undefined => requestBody?.content['application/json']?.schema;

function queryOf(operation: Operation, isNear: boolean): fc.Arbitrary<Record<string, unknown>> {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
  const value = ({ schema }: { schema: Schema }) =>
    isNear ? fc.oneof(validFor(schema), fc.string({ maxLength: 40 })) : validFor(schema);
  const model = Object.fromEntries(parameters.map((each) => [each.name, value(each)]));
  const requiredKeys = isNear ? [] : parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(model, { requiredKeys });
}

/** A path whose parameters are id-like or arbitrary texts. */
const pathOf = (path: string): fc.Arbitrary<string> => {
  const part = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 20 }).map(encodeURIComponent));
  return fc
    .array(part, { minLength: 4, maxLength: 4 })
    .map((parts) => path.replace(/\{[^}]+\}/g, () => parts.pop() ?? 'x'));
};

function send(
  call: Call,
  path: string,
  query: Record<string, unknown>,
  body: unknown,
  caller: Caller,
): Promise<LightMyRequestResponse> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const request: InjectOptions = {
    method: call.method.toUpperCase(),
    url: `${path}?${search.toString()}`,
    headers: headersOf(caller),
  };
  callCount += 1;
  if (body !== undefined) {
    request.headers = { ...request.headers, 'content-type': 'application/json' };
    request.payload = JSON.stringify(body);
  }
  // An opened stream never ends; rejections arrive before this timeout.
  if (call.path === '/api/stream') request.signal = AbortSignal.timeout(STREAM_MS);
  return node.app.inject(request);
}

const STREAM_MS = 200;

/** Null for a stream that was still open at its timeout. @throws every other failure */
function orOpenStream(failure: unknown): null {
  if (failure instanceof Error && failure.name === 'AbortError') return null;
  throw failure;
}

function judge({ operation }: Call, response: LightMyRequestResponse): void {
  const { statusCode, headers } = response;
  const said = `${statusCode} ${response.body.slice(0, 300)}`;
  expect(Object.keys(operation.responses), said).toContain(String(statusCode));
  expect(statusCode, said).not.toBe(500);
  if (statusCode < 400) return;
  expect(headers['content-type'], said).toMatch('application/problem+json');
  const problem = response.json<{ code: string; title?: string }>();
  expect(problem.code, said).toMatch(/^[a-z_]+$/);
  expect(response.body, said).not.toMatch(/node_modules|\n\s+at |postgres:|select .* from/i);
}

describe('whatever is sent', () => {
  it.each(requested)('$method $path returns a response that its document declares', async (call) => {
    const schema = bodyOf(call.operation);
    const bodies =
      schema === undefined
        ? fc.constant(undefined)
        : fc.oneof(validFor(schema), nearlyValidFor(schema), nearlyValidFor(schema), garbage);
    const query = fc.boolean().chain((isNear) => queryOf(call.operation, isNear));
    await fc.assert(
      fc.asyncProperty(
        pathOf(call.path),
        query,
        bodies,
        fc.constantFrom(...callers),
        async (path, given, body, caller) => {
          const response = await send(call, path, given, body, caller).catch(orOpenStream);
          if (response !== null) judge(call, response);
        },
      ),
      { numRuns: runsOf(call), seed: 20_261_121 },
    );
  });

  it.each(requested.filter((call) => bodyOf(call.operation) !== undefined))(
    '$method $path rejects a body that is not a JSON object',
    async (call) => {
      const path = call.path.replace(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000');
      const request = { method: call.method.toUpperCase() as 'POST', url: path };
      const json = { ...user.bearer, 'content-type': 'application/json' };
      for (const payload of ['', '{', 'null', '[]', '"text"', '7', '\u0000', '{"a":1}}']) {
        const response = await test.app.inject({ ...request, headers: json, payload });
        judge(call, response);
        expect(response.statusCode, payload).toBeGreaterThanOrEqual(400);
      }
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
      ]) {
        const response = await test.app.inject({
          ...request,
          headers: { ...user.bearer, 'content-type': type },
          payload: 'a=1',
        });
        judge(call, response);
        expect(response.statusCode, type).toBeGreaterThanOrEqual(400);
      }
    },
  );

  it.each(Object.keys(apiPaths as object))('%s returns 405 for a method it does not have', async (path) => {
    // `/api/things/last` also matches `/api/things/{id}`, so it has the methods of both.
    const isAlso = (template: string) => new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
    const known = new Set(calls.filter((call) => call.path === path || isAlso(call.path)).map((call) => call.method));
    for (const method of [...unsafe, 'get'].filter((each) => !known.has(each))) {
      const url = path.replace(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000');
      const response = await test.app.inject({ method: method.toUpperCase() as 'GET', url, headers: user.bearer });
      expect(`${method} ${response.statusCode}`).toBe(`${method} 405`);
      expect(response.headers.allow).toBeDefined();
    }
  });
});

it('knows the contents of each body: otherwise only garbage would be sent', () => {
  const blind = requested.filter(({ operation }) => {
    const schema = bodyOf(operation);
    return (
      schema !== undefined &&
      schema.properties === undefined &&
      schema.anyOf === undefined &&
      schema.oneOf === undefined
    );
  });
  expect(blind.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

describe('whatever an agent sends to /mcp', () => {
  const names = ['list_symbols', 'get_candles', 'get_indicators', 'get_signal', 'run_backtest', 'list_positions'];
  const series = { symbol: fc.constantFrom('BTCUSDT', 'NOSUCH', ''), interval: fc.constantFrom('1h', '1d', 'x') };
  const input = fc.oneof(
    fc.record({ ...series, limit: fc.integer({ min: -5, max: 3000 }) }, { requiredKeys: [] }),
    fc.record({ term: fc.string(), state: fc.string() }, { requiredKeys: [] }),
    garbage,
  );
  const id = fc.oneof(fc.integer(), fc.string(), garbage);
  const message = fc.oneof(
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id,
      method: fc.constant('tools/call'),
      params: fc.record({ name: fc.oneof(fc.constantFrom(...names, 'look_up_term'), fc.string()), arguments: input }),
    }),
    fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id,
        method: fc.oneof(fc.constantFrom('initialize', 'tools/list', 'ping', 'notifications/initialized'), fc.string()),
        params: garbage,
      },
      { requiredKeys: [] },
    ),
    garbage,
  );
  const rejected = new Set([400, 401, 403, 404, 406, 413, 415, 429]);

  it('gets a protocol response or an error, never a server error', async () => {
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom(...callers), async (sent, caller) => {
        callCount += 1;
        const accept = 'application/json, text/event-stream';
        const headers = { accept, 'content-type': 'application/json', ...headersOf(caller) };
        const response = await node.app.inject({ method: 'POST', url: '/mcp', headers, payload: JSON.stringify(sent) });
        const said = `${response.statusCode} ${response.body.slice(0, 300)}`;
        expect(
          response.statusCode === 200 || response.statusCode === 202 || rejected.has(response.statusCode),
          said,
        ).toBe(true);
        expect(response.body, said).not.toMatch(/node_modules|\n\s+at |postgres:|select .* from/i);
      }),
      { numRuns: runs * 5, seed: 20_261_125 },
    );
  });
});

/** Found by the long run: each returned 500 once. */
describe('what the long run found', () => {
  it.each([
    ['POST', '/api/positions/preview', { stop_loss: 1e-12, take_profit: 1e-12, qty: 0.001999999999 }],
    ['POST', '/api/positions/preview', { stop_loss: 1e-12, take_profit: 1e12, qty: 1 }],
    ['POST', '/api/positions', { stop_loss: 1e-12, take_profit: 1e12, qty: 0.01 }],
  ] as const)('%s %s with levels that round to zero is no server error', async (method, url, levels) => {
    const payload = { symbol: 'BTCUSDT', interval: '15m', side: 'LONG', ...levels };
    const response = await test.app.inject({ method, url, headers: user.bearer, payload });
    expect(response.statusCode, response.body).toBeLessThan(500);
    expect(response.body).not.toMatch(/"would_open":true/);
  });

  it('POST /api/futures-signal with a balance near zero names the field', async () => {
    const payload = { symbol: 'BTCUSDT', interval: '1d', balance: 5e-324 };
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/futures-signal',
      headers: user.bearer,
      payload,
    });
    expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed', field: 'balance' });
  });
});
