import { apiScopeNames, type ApiScope } from '@sextant/workers/src/core/apiAccess.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };
import { createNode, giveCredits, type MadeKey, makeKey, type Node } from '../features/apiKeys/support.ts';
import { createMarketApp, type MarketApp } from '../support/createMarketApp.ts';
import { ownOrigin, type TestUser } from '../support/createTestApp.ts';
import { routeRows, type RouteRow } from './routeRows.ts';

/** Every route, called with an API key in each possible state. */

/** Half past the hour, so that all calls of a test are in one hour whenever it runs. */
const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 1_800_000;
/** Calls used this hour by the users without a paid plan: above the limit of FREE, below that of PRO. */
const usedCount = 100;

let test: MarketApp;
let node: Node;
let holder: TestUser;
let other: TestUser;
let allScopes: MadeKey;
let away: MadeKey;
let revoked: MadeKey;
let overLimit: MadeKey;
let expiredPlan: MadeKey;
/** Test keys of two users. */
let trial: MadeKey;
let othersTrial: MadeKey;
const only = {} as Record<ApiScope, MadeKey>;
const allBut = {} as Record<ApiScope, MadeKey>;

const scopesWithout = (scope: ApiScope): ApiScope[] => apiScopeNames.filter((each) => each !== scope);

async function buy(user: TestUser, plan: string): Promise<void> {
  await giveCredits(test, user.id, 1000);
  const response = await test.app.inject({
    method: 'POST',
    url: '/api/account/api-subscription',
    headers: user.bearer,
    payload: { plan },
  });
  if (response.statusCode !== 200) throw new Error(response.body);
}

const useHour = (user: TestUser) =>
  test.database.asOwner(
    `insert into api_leases (user_id, window_start, node, granted, used) values ($1, $2, gen_random_uuid(), $3, $3)`,
    [user.id, new Date(nowMs - 1_800_000), usedCount],
  );

beforeAll(async () => {
  test = await createMarketApp();
  node = await createNode(test, () => nowMs);
  const [limited, lapsed] = await Promise.all([test.signUp(), test.signUp()]);
  [holder, other] = await Promise.all([test.signUp(), test.signUp()]);
  const scopes = apiScopeNames;
  for (const scope of scopes) {
    only[scope] = await makeKey(test, holder, { scopes: [scope] });
    allBut[scope] = await makeKey(test, holder, { scopes: scopesWithout(scope) });
  }
  allScopes = await makeKey(test, holder, { scopes });
  trial = await makeKey(test, holder, { mode: 'test', scopes });
  othersTrial = await makeKey(test, other, { mode: 'test', scopes });
  away = await makeKey(test, holder, { scopes, ip_allowlist: ['203.0.113.0/24'] });
  revoked = await makeKey(test, holder, { scopes });
  await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${revoked.id}`, headers: holder.bearer });
  overLimit = await makeKey(test, limited, { scopes });
  expiredPlan = await makeKey(test, lapsed, { scopes });
  await buy(holder, 'BUSINESS');
  await buy(lapsed, 'PRO');
  await test.database.asOwner(
    `update api_subscriptions set created_at = now() - interval '40 days', expires_at = now() - interval '10 days' where user_id = $1`,
    [lapsed.id],
  );
  await Promise.all([useHour(limited), useHour(lapsed)]);
});
afterAll(async () => {
  await node.close();
  await test.close();
});

const methodOf = (route: string) => route.slice(0, route.indexOf(' ')) as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const patternOf = (route: string) => route.slice(route.indexOf(' ') + 1);

type Security = Record<string, string[]>[];
/** How a route handles test keys, by the published document. */
type SandboxWord = 'frozen' | 'fixed' | 'same' | 'none';
const paths = document.paths as unknown as Record<
  string,
  Record<string, { security?: Security; 'x-sandbox'?: SandboxWord }>
>;

/** Access a key needs by the published document: a scope, none, or that no key is accepted. */
function keyAccessOf(route: string): ApiScope | 'any_key' | 'session' | 'public' {
  const path = patternOf(route).replace(/:([^/]+)/g, '{$1}');
  const security = paths[path]?.[methodOf(route).toLowerCase()]?.security ?? [];
  if (security.length === 0) return 'public';
  const key = security.find((each) => each['apiKey'] !== undefined)?.['apiKey'];
  return key === undefined ? 'session' : ((key[0] as ApiScope | undefined) ?? 'any_key');
}

/** How the route handles test keys, by the document. A route it does not list is the document itself. */
function sandboxOf(route: string): SandboxWord {
  const path = paths[patternOf(route).replace(/:([^/]+)/g, '{$1}')];
  return path === undefined ? 'same' : (path[methodOf(route).toLowerCase()]?.['x-sandbox'] ?? 'none');
}

function call(route: string, row: RouteRow, headers: Record<string, string>, path?: string) {
  const request: InjectOptions = {
    method: methodOf(route),
    url: path ?? row.request?.path ?? patternOf(route).replace(/:[^/]+/g, '00000000-0000-4000-8000-000000000000'),
    headers: { origin: ownOrigin, ...row.request?.headers, ...headers },
  };
  if (row.request?.payload !== undefined) request.payload = row.request.payload;
  return node.app.inject(request);
}
const codeOf = (response: LightMyRequestResponse) =>
  `${response.statusCode} ${response.json<{ code?: string }>().code ?? ''}`.trim();

const rows = Object.entries(routeRows).map(([route, row]) => ({ route, row, access: keyAccessOf(route) }));
const taking = rows.filter(({ access }) => access !== 'session');

describe('KEY-016 every route and every state of a key', () => {
  it.each(rows)('$route rejects keys that are invalid, unknown or revoked', async ({ route, row }) => {
    for (const key of ['', 'x', `${allScopes.key.slice(0, -1)}!`, revoked.key])
      expect(codeOf(await call(route, row, { 'x-api-key': key }))).toBe('401 not_authenticated');
  });

  it.each(rows)('$route rejects an address that the key does not list', async ({ route, row }) => {
    expect(codeOf(await call(route, row, away.header))).toBe('403 forbidden');
  });

  it.each(rows.filter(({ access }) => access === 'session'))('$route accepts no key', async ({ route, row }) => {
    expect(codeOf(await call(route, row, allScopes.header))).toBe('403 forbidden');
    expect(codeOf(await call(route, row, trial.header))).toBe('403 forbidden');
  });

  it.each(rows.filter(({ access }) => apiScopeNames.includes(access as ApiScope)))(
    'KEY-023 $route rejects a key that has every scope but $access',
    async ({ route, row, access }) => {
      const rejected = await call(route, row, allBut[access as ApiScope].header);
      expect(codeOf(rejected)).toBe('403 forbidden');
      const body = rejected.json<Record<string, unknown>>();
      const elsewhere = (await call(route, row, away.header)).json<Record<string, unknown>>();
      expect({ ...body, request_id: '' }).toEqual({ ...elsewhere, request_id: '' });
    },
  );

  it.each(taking)('KEY-011 $route returns 429 once the hour is used', async ({ route, row }) => {
    for (const [name, key] of Object.entries({ overLimit, expiredPlan })) {
      const rejected = await call(route, row, key.header);
      expect(`${name}: ${codeOf(rejected)}`).toBe(`${name}: 429 rate_limited`);
      // An expired plan counts as FREE: for PRO, 100 calls would be below the limit.
      expect(rejected.headers).toMatchObject({
        'ratelimit-policy': '"hour";q=60;w=3600',
        ratelimit: '"hour";r=0;t=1800',
        'retry-after': '1800',
      });
    }
  });

  it.each(taking.filter(({ route, row }) => methodOf(route) === 'GET' && row.ownerIsNotCalled === undefined))(
    'X39 X65 $route counts a call with a key that may call it',
    async ({ route, row, access }) => {
      const key = apiScopeNames.includes(access as ApiScope) ? only[access as ApiScope] : only['read:market'];
      const path = row.foreign === undefined ? undefined : await row.foreign(test, holder);
      const leftBefore = Number(/r=(\d+)/.exec(await left())?.[1]);
      const response = await call(route, row, key.header, path);
      expect(response.statusCode, response.body.slice(0, 200)).toBe(row.ownerStatus ?? 200);
      // One for this call, one for reading the counter.
      expect(Number(/r=(\d+)/.exec(await left())?.[1])).toBe(leftBefore - 2);
    },
  );

  it.each(taking.filter(({ row, access }) => row.foreign !== undefined && access !== 'public'))(
    '$route hides from a key what belongs to another user',
    async ({ route, row }) => {
      expect(codeOf(await call(route, row, allScopes.header, await row.foreign?.(test, other)))).toBe('404 not_found');
    },
  );
});

describe('KEY-016 every route and a test key', () => {
  const inSandbox = taking.filter(({ route }) => sandboxOf(route) !== 'same');

  it.each(inSandbox)(
    '$route returns the same for test keys of two users, and nothing of either',
    async ({ route, row }) => {
      const responses = await Promise.all([trial, othersTrial].map(({ header }) => call(route, row, header)));
      const [mine, theirs] = responses.map(({ body }) => body);
      for (const response of responses) {
        const word = sandboxOf(route);
        if (word === 'none') expect(codeOf(response)).toBe('403 not_in_sandbox');
        // A route that names one thing finds none in the sandbox.
        else if (patternOf(route).includes(':')) expect(codeOf(response)).toBe('404 not_found');
        else expect([200, 202], response.body.slice(0, 200)).toContain(response.statusCode);
      }
      if (!route.endsWith('/whoami')) expect(mine).toBe(theirs);
      if (!route.endsWith('/whoami')) expect(mine).not.toContain(holder.id);
    },
  );

  it.each(taking.filter(({ route }) => sandboxOf(route) === 'same'))(
    '$route depends on no account, and returns the same for a test key',
    async ({ route, row }) => {
      expect((await call(route, row, trial.header)).statusCode).not.toBe(403);
    },
  );
});

/** MCP messages. Those that use a tool follow the rules of the call behind it, and errors are returned as tool errors. */
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const toolInputs: Record<string, object> = {
  list_symbols: {},
  get_candles: { symbol: 'BTCUSDT', limit: 2 },
  get_indicators: { symbol: 'BTCUSDT' },
  get_signal: { symbol: 'BTCUSDT' },
  check_rules: { rules: 'long when rsi(14) < 30' },
  run_backtest: { symbol: 'BTCUSDT' },
  backtest_portfolio: { symbols: ['BTCUSDT'], limit: 200 },
  optimize_parameters: { symbol: 'BTCUSDT', samples: 20 },
  list_positions: {},
  look_up_term: { term: 'drawdown' },
};
const toolScopes: Record<string, ApiScope> = {
  get_candles: 'read:market',
  get_indicators: 'read:market',
  get_signal: 'read:signals',
  check_rules: 'run:backtest',
  run_backtest: 'run:backtest',
  backtest_portfolio: 'run:backtest',
  optimize_parameters: 'run:backtest',
  list_positions: 'read:account',
};
const useTool = (name: string) => ({
  ...list,
  method: 'tools/call',
  params: { name, arguments: toolInputs[name] },
});

function report(message: object, headers: Record<string, string>): Promise<LightMyRequestResponse> {
  const accept = 'application/json, text/event-stream';
  return node.app.inject({ method: 'POST', url: '/mcp', headers: { accept, ...headers }, payload: message });
}

/** Error code of a rejected MCP call; `done` for a result. */
function toolCodeOf(response: LightMyRequestResponse): string {
  if (response.statusCode !== 200) return codeOf(response);
  const { result } = response.json<{ result: { isError?: boolean; content: { text: string }[] } }>();
  const text = result.content[0]?.text ?? '';
  return result.isError === true ? `200 ${text.split(':', 1)[0]}` : 'done';
}

describe('KEY-016 /mcp and every state of a key', () => {
  const toolNames = Object.keys(toolInputs);

  it('lists exactly the tools of this table', async () => {
    const response = await report(list, allScopes.header);
    const { result } = response.json<{ result: { tools: { name: string }[] } }>();
    expect(result.tools.map(({ name }) => name).sort()).toEqual([...toolNames].sort());
  });

  it('rejects messages without a key, with a wrong or revoked one, or from an address that the key does not list', async () => {
    expect(codeOf(await report(list, {}))).toBe('401 not_authenticated');
    expect(codeOf(await report(list, holder.bearer))).toBe('401 not_authenticated');
    for (const key of ['', 'x', `${allScopes.key.slice(0, -1)}!`, revoked.key])
      for (const header of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
        expect(codeOf(await report(list, header as Record<string, string>))).toBe('401 not_authenticated');
    expect(codeOf(await report(list, away.header))).toBe('403 forbidden');
  });

  it.each(toolNames)('the tool %s rejects the same keys before it reads a message', async (name) => {
    const unknown = { 'x-api-key': `${allScopes.key.slice(0, -1)}!` };
    expect(toolCodeOf(await report(useTool(name), {}))).toBe('401 not_authenticated');
    for (const header of [unknown, revoked.header])
      expect(toolCodeOf(await report(useTool(name), header))).toBe('401 not_authenticated');
    expect(toolCodeOf(await report(useTool(name), away.header))).toBe('200 forbidden');
  });

  it.each(Object.entries(toolScopes))('KEY-023 the tool %s needs the scope %s', async (name, scope) => {
    expect(toolCodeOf(await report(useTool(name), allBut[scope].header))).toBe('200 forbidden');
    expect(toolCodeOf(await report(useTool(name), only[scope].header))).toBe('done');
  });

  it('KEY-011 returns 429 once the hour is used, also after the plan has expired', async () => {
    for (const key of [overLimit, expiredPlan]) {
      const rejected = await report(list, key.header);
      expect(codeOf(rejected)).toBe('429 rate_limited');
      expect(rejected.headers).toMatchObject({ 'ratelimit-policy': '"hour";q=60;w=3600', 'retry-after': '1800' });
      for (const name of toolNames)
        expect(toolCodeOf(await report(useTool(name), key.header))).toBe('200 rate_limited');
    }
  });

  it('X39 counts each message once', async () => {
    const leftBefore = Number(/r=(\d+)/.exec(await left())?.[1]);
    await report(list, allScopes.header);
    await report(useTool('get_candles'), allScopes.header);
    // Two messages, and one call for reading the counter.
    expect(Number(/r=(\d+)/.exec(await left())?.[1])).toBe(leftBefore - 3);
  });

  it.each(toolNames)('the tool %s returns the same for test keys of two users', async (name) => {
    const [mine, theirs] = await Promise.all([trial, othersTrial].map(({ header }) => report(useTool(name), header)));
    expect(mine?.body).toBe(theirs?.body);
    expect(mine?.body).not.toContain(holder.id);
  });
});

/** The header with the remaining calls of the holder's hour. */
async function left(): Promise<string> {
  const response = await node.app.inject({ url: '/api/account/whoami', headers: allScopes.header });
  return String(response.headers['ratelimit']);
}

describe('X65 a public route called with a key', () => {
  it('is logged with its key, and responds without one as before', async () => {
    const response = await node.app.inject({ url: '/api/price?symbol=BTCUSDT', headers: allScopes.header });
    expect(response.statusCode).toBe(200);
    await node.api.calls.flush();
    const [row] = await test.database.asOwner<{ route: string; key_id: string }>(
      'select route, key_id from api_calls where request_id = $1',
      [response.headers['x-request-id']],
    );
    expect(row).toEqual({ route: '/api/price', key_id: allScopes.id });
    const plain = await node.app.inject({ url: '/api/price?symbol=BTCUSDT' });
    expect([plain.statusCode, plain.headers['ratelimit']]).toEqual([200, undefined]);
  });

  it('is limited by the hour of the key, not by its address', async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 250; at += 1)
      statuses.add((await node.app.inject({ url: '/api/price?symbol=BTCUSDT', headers: allScopes.header })).statusCode);
    expect([...statuses]).toEqual([200]);
  });
});
