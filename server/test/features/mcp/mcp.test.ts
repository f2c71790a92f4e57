// Long because its cases share one app with its exchanges: a start of them costs more than most cases.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../../src/features/mcp/tools.ts';
import { readHelp } from '../../../src/features/help/articles.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import type { MarketApp } from '../../support/createMarketApp.ts';
import { type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { stopCandles } from '../market/stopCandles.ts';
import { createListeningApp, createNode, giveCredits, makeKey, type MadeKey } from '../apiKeys/support.ts';

let test: MarketApp;
let user: TestUser;
let key: MadeKey;
let baseUrl: string;
beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  await storeHelp(test.deps.db, await readHelp());
  user = await test.signUp();
  key = await makeKey(test, user, {
    scopes: ['read:market', 'read:signals', 'read:account', 'run:backtest'],
  });
  await giveCredits(test, user.id, 1200);
  const payload = { plan: 'BUSINESS' };
  await test.app.inject({ method: 'POST', url: '/api/account/api-subscription', headers: user.bearer, payload });
});
afterAll(() => test.close());

type Headers = Record<string, string>;
/** A run by the rules of its contract. */
interface Ruled {
  contract: object;
  turnoverShareLargest: number;
  sizesCut: object | null;
  lastTrades: { quantity: number }[];
}
/** The SDK's own client, as an agent uses it. */
async function connect<T>(headers: Headers, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
interface Reported {
  text: string;
  isError: boolean;
}
const callTool = async (name: string, given: object = {}, made = key): Promise<Reported> =>
  connect(made.header, async (client) => {
    const response = await client.callTool({ name, arguments: given as Record<string, unknown> });
    const [content] = response.content as { type: string; text: string }[];
    return { text: content?.text ?? '', isError: response.isError === true };
  });
const dataOf = ({ text }: Reported): unknown => JSON.parse(text.slice(text.search(/^\{/m)));
const post = (headers: Headers, body: unknown) =>
  fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('the MCP server', () => {
  it('names its tools, all of which only read', async () => {
    const { tools } = await connect({ authorization: `Bearer ${key.key}` }, (client) => client.listTools());
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'backtest_portfolio',
      'check_rules',
      'get_candles',
      'get_indicators',
      'get_signal',
      'list_positions',
      'list_symbols',
      'look_up_term',
      'optimize_parameters',
      'run_backtest',
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it('RULE-116 runs one account over many symbols, with its verdict and without its columns', async () => {
    const rules = 'long when rsi(14) < 40\nshort when rsi(14) > 60\nstop 2 * atr(14); target 3R; risk 1 %';
    const run = await callTool('backtest_portfolio', { symbols: ['BTCUSDT', 'ETHUSDT'], rules, limit: 400 });
    expect(run.text).toContain('2 symbols, one account. Net ');
    expect(run.text).toContain('Honesty verdict after 1 parameter set: ');
    expect(run.text).toContain('Delisted ones are missing');
    const data = dataOf(run) as { contributions: { symbol: string }[]; lastTrades: object[]; curve?: object };
    expect(data.contributions.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(data.lastTrades.length).toBeGreaterThan(0);
    expect(data.curve).toBeUndefined();
    const wrong = await callTool('backtest_portfolio', { symbols: ['BTCUSDT'], rules: 'long when rsy(14) < 40' });
    expect(wrong.text).toContain('line 1, column 11');
  });

  it('RULE-196 says why no set was ranked', () => {
    const tool = tools.find(({ name }) => name === 'backtest_portfolio');
    const none = { samples: 12, target: 'sharpe', best: null, leaders: [], honesty: null };
    const { words } = tool?.responseOf(none as never, {} as never) ?? {};
    expect(words).toContain(
      'None of 12 parameter sets could be ranked: a set needs 10 closed trades, equity left and a figure of its target, sharpe.',
    );
  });

  it('gives symbols, candles, indicators, a signal with its contributions, positions and terms', async () => {
    const symbols = dataOf(await callTool('list_symbols', { contains: 'btc' })) as { symbols: { symbol: string }[] };
    expect(symbols.symbols.map(({ symbol }) => symbol)).toContain('BTCUSDT');
    const series = { symbol: 'BTCUSDT', interval: '1h' };
    const { candles } = dataOf(await callTool('get_candles', { ...series, limit: 7 })) as {
      candles: { close: number[] };
    };
    expect(candles.close).toHaveLength(7);
    const { indicators } = dataOf(await callTool('get_indicators', series)) as { indicators: Record<string, unknown> };
    expect(Object.keys(indicators)).toContain('rsi14');
    const signal = dataOf(await callTool('get_signal', series)) as { contributions: object[]; direction: string };
    expect(signal.contributions.length).toBeGreaterThan(0);
    expect(dataOf(await callTool('list_positions'))).toMatchObject({ positions: [] });
    expect(dataOf(await callTool('list_positions', { state: 'orders' }))).toEqual({ orders: [] });
    const terms = dataOf(await callTool('look_up_term', { term: 'drawdown' })) as {
      articles: object[];
      nearest: object[];
    };
    expect(terms.articles.length + terms.nearest.length).toBeGreaterThan(0);
  });

  it('reports what luck alone would have found to an agent that requests the best parameters', async () => {
    const search = { symbol: 'BTCUSDT', interval: '1h', samples: 20 };
    const first = await callTool('optimize_parameters', search);
    expect(first.text).toMatch(/^Best of \d+ parameter sets/);
    expect(first.text).toMatch(
      /^Honesty verdict after \d+ parameter sets: (luck|unclear|holds up|not enough data)\. /m,
    );
    expect(first.text).toMatch(/^What luck alone would have found: \S/m);
    interface ResponseBody {
      honesty: { trialCount: number; level: string; figures: object[] };
      trialCount: number;
      best: { bestParams: object; lastTrades: object[]; equity?: unknown };
    }
    const one = dataOf(first) as ResponseBody;
    expect(one.honesty.trialCount).toBe(one.trialCount);
    expect(one.honesty.figures.length).toBeGreaterThan(5);
    expect(one.best.bestParams).toBeTypeOf('object');
    expect(one.best.equity).toBeUndefined();
    // The same search with another seed adds to its trials.
    const two = dataOf(await callTool('optimize_parameters', { ...search, seed: 2 })) as ResponseBody;
    expect(two.honesty.trialCount).toBe(one.trialCount + two.trialCount);
    // No search chose the default parameters; a search may have chosen others.
    const run = await callTool('run_backtest', { symbol: 'BTCUSDT', interval: '1h', params: { slPct: 0.031 } });
    expect(run.text).toMatch(/^Honesty verdict after \d+ parameter sets: /m);
    expect((dataOf(run) as ResponseBody).honesty.trialCount).toBe(two.honesty.trialCount + 1);
    const { result } = dataOf(run) as { result: Ruled };
    expect(result.contract).toMatchObject({ symbol: 'BTCUSDT', tickSize: 0.1, stepSize: 0.001 });
    expect(result.turnoverShareLargest).toBeGreaterThan(0);
    expect(result.sizesCut).toBeNull();
    for (const { quantity } of result.lastTrades)
      expect(Math.abs(quantity * 1000 - Math.round(quantity * 1000))).toBeLessThan(1e-6);
  });

  it('RULE-196 searches sets of one account, ranges of own rules among them, and says how much is luck', async () => {
    const rules = 'n = 14 [6..20 step 2]\nlong when rsi(n) < 40\nshort when rsi(n) > 60\nstop 2 * atr(14); target 3R';
    // Markets of this test alone, after the search above: its sets are of the same family of searches.
    const account = { symbols: ['NEARUSDT', 'ADAUSDT'], rules, limit: 800 };
    const found = await callTool('backtest_portfolio', { ...account, search: { samples: 12 } });
    expect(found.text).toContain(
      'Best of 12 parameter sets, on candles the search did not see: 2 symbols, one account.',
    );
    expect(found.text).toContain('Honesty verdict after 12 parameter sets: ');
    const { best, leaders } = dataOf(found) as { best: { set: { values?: object } }; leaders: object[] };
    expect(leaders.length).toBeLessThanOrEqual(5);
    expect(Object.keys(best.set.values ?? { n: 14 })).toEqual(['n']);
    const wrong = await callTool('backtest_portfolio', {
      ...account,
      search: { ranges: { stopFactor: { min: 1, max: 2 } } },
    });
    expect(wrong.text).toContain('ranges.stopFactor must be absent');
  });

  it('counts the same run three times as one parameter set, and the same search as one search, whatever key calls', async () => {
    const series = { symbol: 'AVAXUSDT', interval: '1h', limit: 300 };
    const runs = [];
    for (let i = 0; i < 3; i++) runs.push((await callTool('run_backtest', series)).text);
    for (const text of runs) expect(text).toContain('Honesty verdict after 1 parameter set: ');
    const other = await makeKey(test, user, { scopes: ['run:backtest'] });
    const moved = await callTool('run_backtest', { ...series, params: { slPct: 0.03 } }, other);
    expect(moved.text).toContain('Honesty verdict after 2 parameter sets: ');
    expect((await callTool('run_backtest', series)).text).toContain('Honesty verdict after 2 parameter sets: ');
    interface Match {
      honesty: { trialCount: number; earlierLooks: number };
    }
    const search = { symbol: 'DOTUSDT', interval: '1h', samples: 20 };
    const [one, two] = [await callTool('optimize_parameters', search), await callTool('optimize_parameters', search)];
    expect((dataOf(two) as Match).honesty).toMatchObject((dataOf(one) as Match).honesty);
  });

  it('searches on several symbols over the same dates are one family, and the verdict says so', async () => {
    interface Match {
      honesty: { words: string; trialCount: number; earlierLooks: number; family: { markets: number; trials: number } };
    }
    const matches: Match['honesty'][] = [];
    for (const symbol of ['LINKUSDT', 'LTCUSDT', 'BNBUSDT'])
      matches.push(
        (dataOf(await callTool('optimize_parameters', { symbol, interval: '4h', samples: 20 })) as Match).honesty,
      );
    const [first, , third] = matches as [Match['honesty'], Match['honesty'], Match['honesty']];
    // Sets that other tests of this account searched over these dates are counted already.
    const own = first.trialCount - first.family.trials;
    expect(third.family).toEqual({ markets: first.family.markets + 2, trials: first.family.trials + 2 * own });
    expect(third.earlierLooks).toBe(first.earlierLooks + 2);
    expect(third.trialCount).toBe(first.trialCount + 2 * own);
    expect(third.words).toContain(
      `${third.family.trials.toLocaleString('en-US')} of them on ${third.family.markets} other markets over the same dates`,
    );
  });

  it('searches and runs a strategy of rules, counted with the parameter sets', async () => {
    const goOn = stopCandles(test.deps.market);
    const own = await makeKey(test, user, { scopes: ['run:backtest'] });
    const strategy = { ...liveRules(['1h', '4h']), entryThreshold: 0.1 };
    const rules = { symbol: 'BTCUSDT', interval: '1h', strategy };
    interface ResponseBody {
      honesty: { trialCount: number };
      best: { strategy: typeof strategy; hashes: object };
    }
    const result = await callTool('optimize_parameters', { ...rules, samples: 20 }, own);
    expect(result.isError, result.text).toBe(false);
    const { best, honesty } = dataOf(result) as ResponseBody;
    expect(best.strategy.intervals).toEqual(strategy.intervals);
    const again = await callTool('run_backtest', { ...rules, strategy: best.strategy }, own);
    const run = dataOf(again) as { honesty: ResponseBody['honesty']; result: { hashes: object } };
    expect(run.result.hashes).toEqual(best.hashes);
    // The best set is among the counted ones; the Classic sets searched here did not lead to it.
    expect(run.honesty.trialCount).toBeLessThanOrEqual(honesty.trialCount);
    expect(run.honesty.trialCount).toBeGreaterThanOrEqual(40);
    const wrong = await callTool('run_backtest', { ...rules, interval: '15m' }, own);
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.text).toContain('strategy.intervals');
    goOn();
  });

  it('RULE-015 checks and runs own rules as text, and names what is wrong in it', async () => {
    const goOn = stopCandles(test.deps.market);
    const own = await makeKey(test, user, { scopes: ['run:backtest'] });
    const rules = 'fast = 9 [5..20 step 1]\nlong when crossover(ema(close, fast), ema(close, 21))';
    const checked = dataOf(await callTool('check_rules', { rules }, own));
    expect(checked).toMatchObject({ ok: true, setCount: 16, parameters: [{ name: 'fast', value: 9 }] });
    const market = { symbol: 'BTCUSDT', interval: '1h' };
    const run = await callTool('run_backtest', { ...market, rules }, own);
    expect(run.text).toMatch(/^Honesty verdict after \d+ parameter sets?: /m);
    expect(dataOf(run)).toMatchObject({ result: { strategy: { rules, intervals: [{ interval: '1h' }] } } });
    const bad = await callTool('run_backtest', { ...market, rules: 'long when rsj(14) < 30' }, own);
    expect(bad).toMatchObject({ isError: true });
    expect(bad.text).toMatch(/line 1, column 11: .*rsi/);
    goOn();
  });

  it('counts the sets of an account on all nodes and after a restart, including concurrent calls', async () => {
    let stop = 0.02;
    const payload = () => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      // Each call runs another set.
      params: {
        name: 'run_backtest',
        arguments: { symbol: 'ETHUSDT', interval: '4h', params: { slPct: (stop += 0.001) } },
      },
    });
    const headers = { ...key.header, accept: 'application/json, text/event-stream' };
    /** Number of sets that the verdict of one backtest counts on a node. */
    const trialsAt = async (app: TestApp['app']): Promise<number> => {
      const response = await app.inject({ method: 'POST', url: '/mcp', headers, payload: payload() });
      const { result } = response.json<{ result: { content: { text: string }[]; isError?: boolean } }>();
      const text = result.content[0]?.text ?? '';
      expect(result.isError, text).not.toBe(true);
      return (dataOf({ text, isError: false }) as { honesty: { trialCount: number } }).honesty.trialCount;
    };
    const other = await createNode(test, Date.now);
    try {
      expect(await trialsAt(test.app)).toBe(1);
      expect(await trialsAt(other.app)).toBe(2);
      // Concurrent runs may or may not count each other; a later run counts both.
      for (const count of await Promise.all([trialsAt(test.app), trialsAt(other.app)])) expect([3, 4]).toContain(count);
      expect(await trialsAt(test.app)).toBe(5);
    } finally {
      await other.close();
    }
    const restarted = await createNode(test, Date.now);
    try {
      expect(await trialsAt(restarted.app)).toBe(6);
      // A key with a new secret counts as the same key.
      const rotated = await test.app.inject({
        method: 'POST',
        url: `/api/account/api-keys/${key.id}/rotate`,
        headers: user.bearer,
        payload: { old_key_works: 'day' },
      });
      headers['x-api-key'] = rotated.json<{ api_key: string }>().api_key;
      expect(await trialsAt(restarted.app)).toBe(7);
    } finally {
      await restarted.close();
    }
  });

  it('rejects a tool whose scope the key lacks, and bad input, with a message the agent can read', async () => {
    const narrow = await makeKey(test, user, { scopes: ['read:market'] });
    const rejected = await callTool('run_backtest', { symbol: 'BTCUSDT' }, narrow);
    expect(rejected).toMatchObject({ isError: true });
    expect(rejected.text).toContain('forbidden: API key lacks required permissions');
    const unknown = await callTool('get_candles', { symbol: 'NOSUCHUSDT' });
    expect(unknown).toMatchObject({ isError: true });
    expect(unknown.text).toContain('symbol_unknown');
    expect((await callTool('get_candles', { symbol: 'BTCUSDT', limit: 100_000 })).isError).toBe(true);
  });

  it('accepts keys only: no session, no cookie, no page of another site', async () => {
    for (const headers of [{}, user.bearer, user.browser, { 'x-api-key': `${key.key.slice(0, -1)}!` }] as Headers[])
      expect((await post(headers, listTools)).status).toBe(headers['cookie'] === undefined ? 401 : 403);
    expect((await post({ ...key.header, origin: 'https://evil.example' }, listTools)).status).toBe(403);
    expect((await post({ ...key.header, origin: baseUrl }, listTools)).status).toBe(200);
    expect((await post(key.header, [listTools, listTools])).status).toBe(400);
    const got = await fetch(`${baseUrl}/mcp`, { headers: key.header });
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    const revoked = await makeKey(test, user);
    await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${revoked.id}`, headers: user.bearer });
    expect((await post(revoked.header, listTools)).status).toBe(401);
  });

  it('counts each message once against the hourly limit, logs the call behind a tool, and stops at the limit', async () => {
    // A fixed time, so that all calls fall into one hour.
    const nowMs = Date.now();
    const node = await createNode(test, () => nowMs);
    try {
      const poor = await test.signUp();
      const own = await makeKey(test, poor, { scopes: ['read:market'] });
      const headers = { ...own.header, accept: 'application/json, text/event-stream' };
      const send = (payload: object) => node.app.inject({ method: 'POST', url: '/mcp', headers, payload });
      const params = { name: 'get_candles', arguments: { symbol: 'BTCUSDT', limit: 2 } };
      const callCandles = { ...listTools, method: 'tools/call', params };
      for (let i = 0; i < 59; i++) expect((await send(callCandles)).statusCode).toBe(200);
      expect((await send(listTools)).statusCode).toBe(200);
      const over = await send(listTools);
      expect(over.statusCode).toBe(429);
      expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
      const reported = await send(callCandles);
      expect(reported.body).toContain('rate_limited: API quota exceeded: 60 calls an hour');
      const usage = await node.app.inject({ url: '/api/account/api-usage', headers: poor.bearer });
      const routes = usage.json<{ routes: { route: string; total: number }[] }>().routes;
      expect(routes.find(({ route }) => route === '/api/klines')?.total).toBeGreaterThanOrEqual(59);
    } finally {
      await node.close();
    }
  });
});

describe('a message that makes no API call', () => {
  const accept = 'application/json, text/event-stream';
  const json = { accept, 'content-type': 'application/json' };
  const tool = { name: 'get_candles', arguments: { symbol: 'BTCUSDT', limit: 2 } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
  const { id: _, ...notification } = call;
  const { jsonrpc: __, ...unversioned } = call;
  /** Each with the status of a key within its hour. */
  const messages: [name: string, status: number, payload: object | string, headers: Headers][] = [
    ['a call as a notification', 202, notification, json],
    ['a call that accepts no JSON', 406, call, { ...json, accept: 'text/html' }],
    ['a call without jsonrpc', 400, unversioned, json],
    ['a call with an unknown protocol version', 400, call, { ...json, 'mcp-protocol-version': '1999-01-01' }],
    ['a batch', 400, [call, call], json],
    ['no JSON', 400, '{', json],
    ['no body', 400, '', json],
    ['a body of another type', 415, '<a/>', { ...json, 'content-type': 'application/xml' }],
    ['a body that is too long', 413, `"${'a'.repeat(70_000)}"`, json],
    ['a list of the tools', 200, listTools, json],
    ['a call of an unknown tool', 200, { ...call, params: { name: 'nothing' } }, json],
    ['a call with wrong arguments', 200, { ...call, params: { ...tool, arguments: { limit: 2 } } }, json],
  ];
  const nowMs = Date.now();
  let node: Awaited<ReturnType<typeof createNode>>;
  beforeAll(async () => {
    node = await createNode(test, () => nowMs);
  });
  afterAll(() => node.close());

  const whoAmI = (headers: Headers) => node.app.inject({ url: '/api/account/whoami', headers });
  const remainingOf = (header: unknown) => Number(/r=(\d+)/.exec(String(header))?.[1]);
  const send = (headers: Headers, payload: object | string) =>
    node.app.inject({ method: 'POST', url: '/mcp', headers, payload });

  it.each(messages)('counts once: %s', async (_name, status, payload, headers) => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['read:market'] });
    const before = remainingOf((await whoAmI(own.header)).headers['ratelimit']);
    const response = await send({ ...headers, ...own.header }, payload);
    expect(response.statusCode, response.body).toBe(status);
    expect(remainingOf((await whoAmI(own.header)).headers['ratelimit'])).toBe(before - 2);
  });

  it('is rejected once the hour is used up, and logged', async () => {
    const poor = await test.signUp();
    const own = await makeKey(test, poor, { scopes: ['read:market'] });
    for (let i = 0; i < 60; i++) expect((await whoAmI(own.header)).statusCode).toBe(200);
    for (const [name, , payload, headers] of messages) {
      const response = await send({ ...headers, ...own.header }, payload);
      expect(response.statusCode, name).toBe(429);
      expect(Number(response.headers['retry-after']), name).toBeGreaterThan(0);
      expect(response.json(), name).toMatchObject({ code: 'rate_limited' });
    }
    const usage = await node.app.inject({ url: '/api/account/api-usage', headers: poor.bearer });
    const { routes } = usage.json<{ routes: { route: string; total: number }[] }>();
    expect(routes.find(({ route }) => route === '/api/account/whoami')?.total).toBe(60 + messages.length);
  });

  it('is rejected from an address that the key does not allow', async () => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['read:market'], ip_allowlist: ['203.0.113.7'] });
    for (const [name, , payload, headers] of messages)
      expect((await send({ ...headers, ...own.header }, payload)).statusCode, name).toBe(403);
  });
});
