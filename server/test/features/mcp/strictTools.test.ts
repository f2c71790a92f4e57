import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/features/apiKeys/keyFormat.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type MadeKey, makeKey } from '../apiKeys/support.ts';

let test: MarketApp;
let user: TestUser;
let key: MadeKey;
beforeAll(async () => {
  test = await createMarketApp();
  user = await test.signUp();
  key = await makeKey(test, user, { scopes: ['read:market', 'read:signals', 'read:account', 'run:backtest'] });
});
afterAll(() => test.close());

const accept = 'application/json, text/event-stream';
const send = (payload: object | string, headers: Record<string, string> = key.header) =>
  test.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept, 'content-type': 'application/json', ...headers },
    payload,
  });
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const callOf = (name: string, given: object) => message('tools/call', { name, arguments: given });

interface Schema {
  [keyword: string]: unknown;
}
/** Every schema nested in a schema. */
function* schemasIn(value: unknown): Iterable<Schema> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Schema;
  for (const each of Object.values(value)) yield* schemasIn(each);
}

describe('the schemas of the tools', () => {
  it('PKG-051 allow no other arguments and use no keywords that vendors reject', async () => {
    const response = await send(message('tools/list', {}));
    const { tools } = response.json<{ result: { tools: { name: string; inputSchema: Schema }[] } }>().result;
    expect(tools).toHaveLength(10);
    for (const { name, inputSchema } of tools) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', '$ref', '$schema'])
        expect(inputSchema, name).not.toHaveProperty(keyword);
      for (const schema of schemasIn(inputSchema)) expect(schema, name).not.toHaveProperty('propertyNames');
    }
  });
});

describe('an argument that a tool does not have', () => {
  it.each([
    ['list_symbols', { exchange: 'binance', serach: 'PEPE' }, 'serach', undefined],
    ['list_symbols', { contians: 'PEPE' }, 'contians', 'contains'],
    ['run_backtest', { symbol: 'BTCUSDT', parms: {} }, 'parms', 'params'],
    ['get_candles', { symbl: 'BTCUSDT', symbol: 'BTCUSDT' }, 'symbl', 'symbol'],
    ['get_signal', { symbol: 'BTCUSDT', leverge: 5 }, 'leverge', 'leverage'],
    ['look_up_term', { term: 'drawdown', q: 'drawdown' }, 'q', undefined],
    ['list_positions', { status: 'open' }, 'status', undefined],
    ['optimize_parameters', { symbol: 'BTCUSDT', sample: 20 }, 'sample', 'samples'],
    ['get_indicators', { symbol: 'BTCUSDT', indicator: ['rsi14'] }, 'indicator', 'indicators'],
  ])('%s %o is an error that names it', async (name, given, wrong, nearest) => {
    const response = await send(callOf(name, given));
    expect(response.statusCode).toBe(200);
    const { result } = response.json<{ result: { isError: boolean; content: { text: string }[] } }>();
    expect(result.isError).toBe(true);
    const text = result.content[0]?.text ?? '';
    expect(text).toContain(`${wrong}: is not known here`);
    expect(text).toContain(nearest === undefined ? 'remove it' : `did you mean ${nearest}?`);
    expect(text).toContain('Arguments: ');
  });

  it('inside the parameters of a run is an error, too', async () => {
    for (const params of [{ stopLos: 0.02 }, { rsiPeriodd: 5 }, { serach: 1 }]) {
      const response = await send(callOf('run_backtest', { symbol: 'BTCUSDT', params }));
      const { result } = response.json<{ result: { isError: boolean; content: { text: string }[] } }>();
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toContain(Object.keys(params)[0]);
    }
  });

  it('of a tool that does not exist is an error with the name of the closest tool', async () => {
    const response = await send(callOf('list_symbol', {}));
    const { error } = response.json<{ error: { code: number; message: string } }>();
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('did you mean list_symbols?');
  });
});

describe('a misspelt name in a call of the API', () => {
  it.each([
    ['GET', '/api/futures-symbols?exchange=binance&serach=PEPE', undefined, 'serach'],
    ['GET', '/api/klines?symbol=BTCUSDT&interval=1h&limt=5', undefined, 'limt'],
    ['GET', '/api/positions?stat=open', undefined, 'stat'],
    ['GET', '/api/price?symbol=BTCUSDT&exchnge=okx', undefined, 'exchnge'],
    ['POST', '/api/backtest', { symbol: 'BTCUSDT', interval: '1h', parms: {} }, 'parms'],
    ['POST', '/api/futures-signal', { symbol: 'BTCUSDT', interval: '1h', levrage: 3 }, 'levrage'],
  ] as const)('%s %s is rejected, naming it', async (method, url, payload, field) => {
    const response = await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed', field });
  });

  it('is rejected with the name that was probably meant', async () => {
    const url = '/api/klines?symbol=BTCUSDT&interval=1h&limt=5';
    const response = await test.app.inject({ url, headers: user.bearer });
    expect(response.json<{ message: string }>().message).toBe('limt: is not known here; did you mean limit?');
    const payload = { symbol: 'BTCUSDT', interval: '1h', parms: {} };
    const run = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload });
    expect(run.json<{ message: string }>().message).toBe('parms: is not known here; did you mean params?');
  });
});

describe('an invalid key', () => {
  const wrongKey = { 'x-api-key': `sx_live_${'A'.repeat(40)}` };
  it.each([
    ['a good call', callOf('list_symbols', {})],
    ['wrong arguments', callOf('list_symbols', { serach: 1 })],
    ['missing arguments', callOf('get_candles', {})],
    ['a tool that does not exist', callOf('nothing', {})],
    ['no call', message('tools/list', {})],
    ['no message', { a: 1 }],
    ['no JSON', '{'],
    ['a deep body', '['.repeat(5000) + ']'.repeat(5000)],
  ])('is rejected before anything else: %s', async (_what, body) => {
    expect((await send(body, wrongKey)).statusCode).toBe(401);
    expect((await send(body, { 'x-api-key': `${key.key.slice(0, -1)}!` })).statusCode).toBe(401);
  });

  it('that was revoked is rejected and logged, with wrong arguments too', async () => {
    const gone = await makeKey(test, user, { scopes: ['read:market'] });
    await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${gone.id}`, headers: user.bearer });
    expect((await send(callOf('list_symbols', { serach: 1 }), gone.header)).statusCode).toBe(401);
    await test.deps.api.calls.flush();
    const rows = await test.database.asOwner<{ status: number }>(
      `select status from api_calls where key_id = '${gone.id}'`,
    );
    expect(rows).toEqual([{ status: 401 }]);
  });

  it('is counted: a network that sends many is rejected from memory', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 200; i++) {
      const other = { 'x-api-key': createKey('live').key };
      statuses.push((await send(callOf('list_symbols', { serach: 1 }), other)).statusCode);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a valid key', () => {
  it('whose arguments are wrong is counted once', async () => {
    const own = await makeKey(test, await test.signUp(), { scopes: ['read:market'] });
    const remaining = async (): Promise<number> => {
      const response = await test.app.inject({ url: '/api/account/whoami', headers: own.header });
      return Number(/r=(\d+)/.exec(String(response.headers['ratelimit']))?.[1]);
    };
    const before = await remaining();
    await send(callOf('list_symbols', { serach: 1 }), own.header);
    expect(await remaining()).toBe(before - 2);
  });

  it.each([
    ['deep lists', '['.repeat(5000) + ']'.repeat(5000)],
    [
      'deep arguments',
      JSON.stringify(callOf('run_backtest', { symbol: 'BTCUSDT' })).replace(
        '"BTCUSDT"',
        '{"a":'.repeat(2000) + '1' + '}'.repeat(2000),
      ),
    ],
    [
      'deep parameters below the limit',
      JSON.stringify(
        callOf('run_backtest', {
          symbol: 'BTCUSDT',
          params: JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) as object,
        }),
      ),
    ],
  ])('with a body of %s never gets a 5xx response', async (_what, body) => {
    const response = await send(body);
    expect(response.statusCode).toBeLessThan(500);
    expect(response.body).not.toContain('internal');
  });
});
