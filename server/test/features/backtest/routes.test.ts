// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { setTimeout as pause } from 'node:timers/promises';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { backtestFromWire, BacktestRequestWire } from '@sextant/workers/src/protocol/wire/backtest.ts';
import { defaultCosts, standardLiquidity, withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { columnToWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { randomCandles, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countNamed, insertBacktest, NAMED_MAX } from '../../../src/features/backtest/backtestRepository.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { daysAgoMs } from '../../support/hours.ts';

let test: MarketApp;
let anna: TestUser;
let ben: TestUser;
/** Long past, and the same moment of the market in every run. */
const endTime = daysAgoMs(30);

beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
  ben = await test.signUp();
});
afterAll(() => test.close());

type ResponseBody = Record<string, unknown> & { hashes: BacktestResult['hashes'] };

const run = (payload: Record<string, unknown>, user = anna) =>
  test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload });
const read = async <T>(url: string, user = anna): Promise<T> =>
  (await test.app.inject({ url, headers: user.bearer })).json<T>();

const candles = Object.fromEntries(
  Object.entries<Float64Array>({ ...randomCandles(seededRandom(20_261_120), 400) }).map(([name, column]) => [
    name,
    columnToWire(column),
  ]),
) as Record<string, number[]>;

describe('POST /api/backtest', () => {
  it('returns the same bits as a direct engine call', async () => {
    const params = { entryThreshold: 0.3, slPct: 0.015, tpPct: 0.03 };
    const body = (await run({ candles, params, interval: '1h' })).json<ResponseBody>();
    const input = backtestFromWire(BacktestRequestWire.parse({ candles, params }));
    const direct = runTask(startEngine(await loadModule()), { name: 'backtest', input });
    if (!direct.ok) throw new Error(direct.error.message);
    expect(body.hashes).toEqual((direct.value as BacktestResult).hashes);
  });

  it('leaves out and names the rows of own candles that have not closed, and runs those before them', async () => {
    const hour = 3_600_000;
    const { open, high, low } = candles;
    for (const [count, words] of [
      [1, /^Skipped the last row, [-\d]+ \d\d:00 UTC: its candle is still open\.$/],
      [2, /^Skipped the last 2 rows, from [-\d]+ \d\d:00 UTC: their candles are still open\.$/],
      [3, /^Skipped the last 3 rows, from [-\d]+ \d\d:00 UTC: their candles are still open\.$/],
      [90, /^Skipped the last 90 rows, from [-\d]+ \d\d:00 UTC: their candles are still open\.$/],
    ] as const) {
      const from = Math.floor(Date.now() / hour) * hour - (400 - count) * hour;
      const sent = { ...candles, time: candles.time?.map((_, i) => from + i * hour) } as Record<string, number[]>;
      const body = (await run({ candles: sent, markPrices: { open, high, low }, scored: 400 })).json<ResponseBody>();
      expect(body).toMatchObject({ loadedCount: 400 - count, scoredCount: 400 - count });
      expect(body.leftOut).toMatch(words);
      const cut = (columns: Record<string, number[] | undefined>) =>
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column?.slice(0, -count)]));
      const closed = (await run({ candles: cut(sent), markPrices: cut({ open, high, low }) })).json<ResponseBody>();
      expect(closed).toMatchObject({ hashes: body.hashes, leftOut: null });
    }
  });

  it('runs own candles that all end in the future, such as generated ones, and says that the clock checked none', async () => {
    const time = candles.time?.map((each) => each + 10 * 365 * 86_400_000);
    const body = (await run({ candles: { ...candles, time } })).json<ResponseBody>();
    expect(body).toMatchObject({
      loadedCount: 400,
      leftOut: 'All 400 rows end in the future (times are UTC): none was left out as not closed.',
    });
  });

  it('CONST-009 X5 scores the last 500 of 800 closed candles of a symbol, with its funding', async () => {
    const response = await run({ symbol: 'btcusdt', interval: '1h' });
    expect(response.statusCode).toBe(200);
    const body = response.json<ResponseBody>();
    expect(body).toMatchObject({
      symbol: 'BTCUSDT',
      exchange: 'binance',
      loadedCount: 800,
      scoredCount: 500,
      gapCount: 0,
      isFundingKnown: true,
    });
    expect(new Date(String(body.last_candle_at)).getTime()).toBeLessThanOrEqual(Date.now() - 3_600_000);
    expect(body.pnl).toBe(body.netPnl);
    expect(body.trades).toBe((body.tradeList as unknown[]).length);
  });

  it('returns the same result for the same end time, however much later it is requested', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => run({ symbol: 'ETHUSDT', interval: '15m', endTime })));
    expect(first?.json<ResponseBody>().hashes).toEqual(second?.json<ResponseBody>().hashes);
    expect(first?.json<ResponseBody>().last_candle_at).toBe(new Date(endTime - 900_000).toISOString());
  });

  it('runs rules as the engine does on the candles of each interval, stores them, and judges them', async () => {
    const strategy = { ...liveRules(['15m', '1h']), entryThreshold: 0.2 };
    const rest = { interval: '15m', endTime, scored: 300, costs: { fundingSource: 'off', ...standardLiquidity } };
    const payload = {
      symbol: 'ETHUSDT',
      limit: 600,
      strategy,
      ...rest,
      name: 'by rules',
      honesty: true,
      fineData: false,
      rulesOf: 'none',
    };
    const body = (await run(payload)).json<ResponseBody & { honesty: { trialCount: number } }>();
    const of = async (interval: string, limit: number): Promise<Candles> => {
      const { candles: matches } = await read<{ candles: Record<string, number[]> }>(
        `/api/klines?symbol=ETHUSDT&interval=${interval}&limit=${limit}&endTime=${endTime}`,
      );
      const names = ['time', 'open', 'high', 'low', 'close', 'volume'];
      return Object.fromEntries(
        names.map((name) => [name, Float64Array.from(matches[name] ?? [])]),
      ) as unknown as Candles;
    };
    // 600 candles of 15 minutes are 150 of an hour; 500 more are read before.
    const [base, longer] = await Promise.all([of('15m', 600), of('1h', 650)]);
    const costs = { ...defaultCosts, ...standardLiquidity, fundingSource: 'off' as const };
    const input = { candles: base, context: [longer], strategy, costs, scoredCount: 300 };
    const direct = runTask(startEngine(await loadModule()), { name: 'backtestStrategy', input });
    if (!direct.ok) throw new Error(direct.error.message);
    const { result, data } = (direct.value as BacktestResult).hashes;
    expect(body.hashes).toMatchObject({ result });
    // This user has run other sets on these candles.
    expect(body.honesty.trialCount).toBeGreaterThanOrEqual(1);
    expect(data).toMatch(/^[0-9a-f]{64}$/);
    // The same candles sent instead of named are the same run.
    const sent = (candles: Candles) =>
      Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, Array.from(column as Float64Array)]));
    const own = { interval: '15m', candles: sent(base), context: [sent(longer)], strategy, scored: 300 };
    const byHand = (await run({ ...own, costs: rest.costs })).json<ResponseBody>();
    expect(byHand.hashes).toMatchObject({ result });
    const { runs } = await read<{ runs: { id: string; name: string; strategy: object | null }[] }>(
      '/api/backtest/saved',
    );
    expect(runs.find(({ id }) => id === body.id)).toMatchObject({ name: 'by rules', strategy });
  });

  it('searches over rules on the candles of each interval of a symbol; the run of the best rules has its hashes', async () => {
    const strategy = { ...liveRules(['15m', '1h']), entryThreshold: 0.2 };
    const one = { symbol: 'ETHUSDT', interval: '15m', limit: 800, scored: 300, endTime };
    const market = { ...one, fineData: false };
    const optimize = { samples: 20, seed: 5, rulesSpace: { weight: { min: -1, max: 1 } } };
    type Match = { best: ResponseBody & { strategy: { intervals: object } }; train: { start: number; end: number } };
    const { best, train } = (await run({ ...market, strategy, optimize })).json<Match>();
    expect(train.end).toBe(500);
    expect(best.strategy.intervals).toEqual(strategy.intervals);
    expect((await run({ ...market, strategy: best.strategy })).json<ResponseBody>().hashes).toEqual(best.hashes);
  });

  it.each([
    ['rules of another interval', { symbol: 'BTCUSDT', strategy: liveRules(['15m']) }, 'start with the interval'],
    [
      'rules with longer intervals beside own candles alone',
      { candles, strategy: liveRules(['1h', '4h']) },
      'longer interval',
    ],
    [
      'longer candles beside a symbol',
      { symbol: 'BTCUSDT', strategy: liveRules(['1h']), context: [candles] },
      'context',
    ],
    [
      'ranges of parameters in a search over rules',
      { symbol: 'BTCUSDT', strategy: liveRules(['1h']), optimize: { space: { slPct: { min: 0.01, max: 0.02 } } } },
      'use `rulesSpace` for a `strategy`',
    ],
  ])('rejects %s', async (_what, payload, words) => {
    const response = await run({ ...payload, interval: '1h' });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ message: string }>().message).toContain(words);
  });

  it.each([
    ['no source', {}, 'symbol', 'send either symbol or candles'],
    ['two sources', { symbol: 'BTCUSDT', candles }, 'symbol', 'send either symbol or candles'],
    ['an unknown field', { symbol: 'BTCUSDT', stopLoss: 1 }, 'stopLoss', 'remove it'],
    ['a number as text', { symbol: 'BTCUSDT', limit: '800' }, 'limit', 'number'],
    ['a threshold of 0', { symbol: 'BTCUSDT', params: { entryThreshold: 0 } }, 'params.entryThreshold', '>0'],
    ['a weight between tenths', { symbol: 'BTCUSDT', params: { weights: { rsi: 1.55 } } }, 'params.weights.rsi', '0.1'],
    [
      'a negative volume',
      { candles: { ...candles, volume: [-1, ...(candles.volume ?? []).slice(1)] } },
      'candles.volume[0]',
      '',
    ],
    ['columns of two lengths', { candles: { ...candles, close: [1] } }, 'candles.close', ''],
  ])('rejects %s and names the field', async (_what, payload, field, words) => {
    const response = await run(payload);
    expect(response.statusCode).toBe(400);
    const problem = response.json<{ code: string; field: string; message: string }>();
    expect(problem).toMatchObject({ code: 'validation_failed', field });
    expect(problem.message).toContain(words);
  });

  const at = (name: string, index: number, value: number) => ({
    candles: { ...candles, [name]: candles[name]?.map((each, i) => (i === index ? value : each)) },
  });
  it.each([
    ['a time after the year 9999', at('time', 399, 9e15), 'candles.time[399]'],
    ['a time before every date', at('time', 0, -9e15), 'candles.time[0]'],
    [
      'times without days',
      { candles: { ...candles, time: candles.time?.map((_, i) => 1e300 * (1 + i * 1e-3)) } },
      'candles.time[0]',
    ],
    [
      'candles of decades',
      { candles: { ...candles, time: candles.time?.map((_, i) => 1e12 * i) } },
      'candles.time[254]',
    ],
    ['a price that is next to nothing', at('low', 5, 1e-310), 'candles.low[5]'],
    ['hardly any equity', { candles, costs: { initialEquity: 5e-324 } }, 'costs.initialEquity'],
    [
      'a rate beyond the position',
      { candles, costs: { funding: { time: [1], rate: [1e308] } } },
      'costs.funding.rate[0]',
    ],
  ])('rejects %s instead of failing', async (_what, payload, field) => {
    const response = await run(payload);
    expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, field]);
  });

  it('never returns 500 where costs and prices are at their bounds', async () => {
    const prices = ['open', 'high', 'low', 'close'].map((name) => [name, candles[name]?.map((each) => each * 1e-13)]);
    const fundings = candles.time ?? [];
    const tiny = { ...candles, ...(Object.fromEntries(prices) as typeof candles) };
    const costs = {
      initialEquity: 1e12,
      notional: 1e12,
      leverage: 2,
      funding: { time: fundings, rate: fundings.map(() => 1) },
    };
    const poor = { ...costs, initialEquity: 1 };
    for (const each of [
      { candles: tiny, costs },
      { candles, costs },
      { candles, costs: poor },
    ])
      expect([200, 400]).toContain((await run(each)).statusCode);
  });

  it('takes 200,000 candles as exchanges write them, and says which number of too many is wrong', async () => {
    const cents = Object.entries<Float64Array>({ ...randomCandles(seededRandom(20_261_121), 200_000, 60_000) }).map(
      ([name, column]) => [name, Array.from(column, (value) => Math.round(value * 100) / 100)] as const,
    );
    const many = Object.fromEntries(cents) as Record<'time' | 'volume', number[]>;
    const response = await run({ candles: many, interval: '1m' });
    expect([response.statusCode, response.json<ResponseBody>().loadedCount]).toEqual([200, 200_000]);
    const wrong = await run({ candles: { ...many, volume: [1, 'two', ...many.volume.slice(2)] } });
    expect(wrong.json()).toMatchObject({ code: 'validation_failed', field: 'candles.volume.1' });
    const tooMany = await run({ candles: { ...many, time: [...many.time, 1] } });
    expect(tooMany.json()).toMatchObject({ code: 'validation_failed', field: 'candles.time' });
  }, 60_000);

  it('says that a symbol is not traded', async () => {
    const response = await run({ symbol: 'NOSUCHUSDT' });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([404, 'symbol_unknown']);
  });

  it('names the exchange that fails, and stores nothing', async () => {
    test.exchanges.faults.add({ fault: 'serverError', venue: 'okx', retryAfterS: 0, delayMs: 0 });
    try {
      const before = await read('/api/backtest/last', ben);
      const response = await run({ symbol: 'SOLUSDT', exchange: 'okx' }, ben);
      expect(response.statusCode).toBe(502);
      expect(response.json<{ message: string }>().message).toMatch(/okx/i);
      expect(await read('/api/backtest/last', ben)).toEqual(before);
    } finally {
      test.exchanges.faults.clear();
    }
  });

  it('requires a session', async () => {
    for (const [method, url] of [
      ['POST', '/api/backtest'],
      ['GET', '/api/backtest/last'],
      ['GET', '/api/backtest/state'],
      ['PUT', '/api/backtest/state'],
      ['DELETE', '/api/backtest/state'],
    ] as const) {
      const response = await test.app.inject({ method, url, ...(method === 'GET' ? {} : { payload: {} }) });
      expect([url, response.statusCode]).toEqual([url, 401]);
    }
  });
});

describe('the last run', () => {
  it('DATA-019 is null at first, then the newest of the user, never that of another user', async () => {
    const clara = await test.signUp();
    expect(await read('/api/backtest/last', clara)).toEqual({ backtest: null });
    const { id } = (await run({ candles, interval: '15m' }, clara)).json<{ id: string }>();
    const { backtest } = await read<{ backtest: Record<string, unknown> }>('/api/backtest/last', clara);
    expect(backtest).toMatchObject({ id, symbol: 'CSV', interval: '15m' });
    const dave = await test.signUp();
    expect(await read('/api/backtest/last', dave)).toEqual({ backtest: null });
  });
});

describe('runs saved under a name', () => {
  const saved = async (user: TestUser) =>
    (await read<{ runs: Record<string, unknown>[] }>('/api/backtest/saved', user)).runs;

  it('hold what it takes to repeat them, are visible to their owner only, and can be deleted', async () => {
    const user = await test.signUp();
    // A 4h candle ends there, whatever the current hour.
    const endTime = Math.floor(daysAgoMs(30) / 14_400_000) * 14_400_000;
    const costs = { takerFeeFraction: 0.001 };
    const response = await run({ symbol: 'BTCUSDT', interval: '4h', limit: 700, endTime, costs, name: 'mine' }, user);
    const { id, hashes, equity } = response.json<ResponseBody & { equity: number[] }>();
    await run({ symbol: 'BTCUSDT', interval: '4h', endTime }, user);
    const [stored, ...others] = await saved(user);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      id,
      name: 'mine',
      symbol: 'BTCUSDT',
      interval: '4h',
      hashes,
      setup: { exchange: 'binance', end_time: endTime, loaded: 700, scored: 500, costs },
    });
    const points = stored!['equity'] as number[];
    expect([points.length, points[0], points.at(-1)]).toEqual([240, equity[0], equity.at(-1)]);
    expect(await saved(ben)).toEqual([]);
    const forget = (who: TestUser) =>
      test.app.inject({ method: 'DELETE', url: `/api/backtest/saved/${String(id)}`, headers: who.bearer });
    const rename = (who: TestUser, name: string) =>
      test.app.inject({
        method: 'PATCH',
        url: `/api/backtest/saved/${String(id)}`,
        headers: who.bearer,
        payload: { name },
      });
    expect((await rename(ben, 'hers')).statusCode).toBe(404);
    const rejected = await rename(user, '');
    expect([rejected.statusCode, rejected.json<{ field: string }>().field]).toEqual([400, 'name']);
    // The name and nothing else changes.
    expect((await rename(user, 'renamed')).json()).toEqual({ runs: [{ ...stored, name: 'renamed' }] });
    expect((await forget(ben)).statusCode).toBe(404);
    expect((await forget(user)).json()).toEqual({ runs: [] });
  });

  it('are limited to fifty: the fifty-first is rejected', async () => {
    const user = await test.signUp();
    const hash = 'a'.repeat(64);
    await test.database.asOwner(
      `insert into backtests (user_id, symbol, interval, params, result, name, setup, engine_hash, data_hash, params_hash, result_hash)
       select $1, 'BTCUSDT', '1h', '{}', '{}', 'run ' || n, '{}', $2, $2, $2, $2 from generate_series(1, 50) n`,
      [user.id, hash],
    );
    const rejected = await run({ candles, name: 'one more' }, user);
    expect([rejected.statusCode, rejected.json<{ field: string }>().field]).toEqual([409, 'name']);
    expect((await run({ candles }, user)).statusCode).toBe(200);
  });

  it('are limited to fifty, also when two are saved at once', async () => {
    const user = await test.signUp();
    const hash = 'a'.repeat(64);
    const save = (n: number, meanwhile?: () => Promise<unknown>) =>
      withUser(test.deps.db, user.id, async (tx) => {
        const isRoom = (await countNamed(tx, user.id)) < NAMED_MAX;
        await meanwhile?.();
        const hashes = { engine: hash, data: hash, params: hash, result: hash };
        const setup = { exchange: null, label: null, end_time: 0, loaded: 1, scored: 1, costs: {} } as never;
        const run = { symbol: 'CSV', interval: '1h', params: {} as never, hashes, name: `run ${n}`, setup };
        if (isRoom) await insertBacktest(tx, user.id, { ...run, result: { best: {}, equity: [] } });
        return isRoom;
      });
    for (let n = 0; n < 49; n++) await save(n);
    const hasCounted = Promise.withResolvers<undefined>();
    const other = hasCounted.promise.then(() => save(50));
    const first = await save(49, () => {
      hasCounted.resolve(undefined);
      // The other save has all the time it needs, unless it waits for this one.
      return Promise.race([other, pause(500)]);
    });
    expect([first, await other]).toEqual([true, false]);
  });
});

describe('POST /api/shared-backtest', () => {
  const body = { symbol: 'ETHUSDT', interval: '1h', limit: 800, endTime, scored: 500 };
  const shared = (payload: object) => test.app.inject({ method: 'POST', url: '/api/shared-backtest', payload });

  it('returns the bits of the run and its candles without a session, and stores nothing', async () => {
    const params = { entryThreshold: 0.2 };
    const costs = withoutLiquidity;
    const own = (await run({ ...body, params, costs, fineData: false, rulesOf: 'none' })).json<ResponseBody>();
    const response = await shared({ ...body, params, costs: {} });
    expect(response.statusCode).toBe(200);
    const {
      hashes,
      candles: sent,
      funding,
      market,
    } = response.json<{
      hashes: object;
      candles: Record<string, number[]>;
      funding: { time: number[]; rate: number[] };
      market: string;
    }>();
    expect(hashes).toEqual(own.hashes);
    expect(market).toBe('simulated');
    const again = await run({ candles: sent, params, costs: { ...costs, funding }, interval: '1h', scored: 500 });
    expect(again.json<ResponseBody>().hashes).toEqual(own.hashes);
  });

  it('uses the one fetch share of all anonymous visitors, so that signed-in users are not affected', async () => {
    const requestAll = vi.spyOn(test.deps.market, 'candles');
    const funded = vi.spyOn(test.deps.market, 'fundingHistory');
    for (const remoteAddress of ['10.0.0.1', '10.0.1.1']) {
      const payload = { ...body, params: {}, costs: {} };
      const { statusCode } = await test.app.inject({
        method: 'POST',
        url: '/api/shared-backtest',
        remoteAddress,
        payload,
      });
      expect(statusCode).toBe(200);
    }
    const callers = [...requestAll.mock.calls, ...funded.mock.calls].map(([{ userId }]) => userId);
    expect(callers).toEqual(['strangers', 'strangers', 'strangers', 'strangers']);
    vi.restoreAllMocks();
  });

  it('rejects an untraded symbol, naming it', async () => {
    const rejected = await shared({ ...body, symbol: 'NOSUCHUSDT', params: {}, costs: {} });
    const { code, message } = rejected.json<{ code: string; message: string }>();
    expect([rejected.statusCode, code]).toEqual([404, 'symbol_unknown']);
    expect(message).toContain('NOSUCHUSDT');
  });

  it.each([
    ['a parameter beyond its bounds', { params: { slPct: 0.5 } }, 'params.slPct'],
    ['a cost beyond its bounds', { costs: { leverage: 500 } }, 'costs.leverage'],
    ['a field that no link has', { name: 'mine' }, 'name'],
    ['more candles than a visitor may request', { limit: 5001 }, 'limit'],
    ['own candles', { candles: {} }, 'candles'],
    ['fundings of its own', { costs: { funding: { time: [1], rate: [1] } } }, 'costs.funding'],
    ['a window without its end', { endTime: undefined }, 'endTime'],
  ])('rejects %s', async (_what, change, field) => {
    const rejected = await shared({ ...body, params: {}, costs: {}, ...change });
    expect([rejected.statusCode, rejected.json<{ field: string }>().field]).toEqual([400, field]);
  });
});

describe('the saved state', () => {
  const state = {
    symbol: 'ETHUSDT',
    interval: '4h',
    params: { entryThreshold: 0.2 },
    optimize: { samples: 50, target: 'winRate' },
    metrics: { netPnl: 12.5, sharpe: null },
  };
  const put = (payload: Record<string, unknown>, user = anna) =>
    test.app.inject({ method: 'PUT', url: '/api/backtest/state', headers: user.bearer, payload });

  it('DATA-020 X7 is stored, replaced, read back by its owner only, and deleted', async () => {
    expect(await read('/api/backtest/state')).toEqual({ state: null });
    await put({ ...state, symbol: 'btcusdt' });
    expect((await put(state)).statusCode).toBe(200);
    const { state: saved } = await read<{ state: Record<string, unknown> }>('/api/backtest/state');
    expect(saved).toMatchObject({ symbol: 'ETHUSDT', interval: '4h', metrics: { netPnl: 12.5, sharpe: null } });
    expect(saved.params).toMatchObject({ entryThreshold: 0.2, slPct: 0.02, weights: { rsi: 1.5, fib: 0.6 } });
    expect(await read('/api/backtest/state', ben)).toEqual({ state: null });
    await test.app.inject({ method: 'DELETE', url: '/api/backtest/state', headers: ben.bearer });
    expect(await read('/api/backtest/state')).toEqual({ state: saved });
    await test.app.inject({ method: 'DELETE', url: '/api/backtest/state', headers: anna.bearer });
    expect(await read('/api/backtest/state')).toEqual({ state: null });
  });

  it('stores the rules of a run, and drops them with the next run of parameters', async () => {
    const user = await test.signUp();
    const strategy = { ...liveRules(['4h']), weights: { rsi: -1.25, adx: 0.5 } };
    await put({ ...state, strategy }, user);
    type Saved = { state: { strategy: { weights: Record<string, number> } | null } };
    const { state: saved } = await read<Saved>('/api/backtest/state', user);
    expect(saved.strategy).toMatchObject({ ...strategy, weights: { rsi: -1.25, adx: 0.5, macd: 0 } });
    await put(state, user);
    expect((await read<Saved>('/api/backtest/state', user)).state.strategy).toBeNull();
    const bad = await put({ ...state, strategy: { ...strategy, breakEvenR: -1 } }, user);
    expect([bad.statusCode, bad.json<{ field: string }>().field]).toEqual([400, 'strategy.breakEvenR']);
  });

  it.each([
    ['samples below 10', { ...state, optimize: { samples: 9 } }, 'optimize.samples'],
    ['another target', { ...state, optimize: { target: 'luck' } }, 'optimize.target'],
    ['NUL in the name of a figure', { ...state, metrics: { 'a\0': 1 } }, 'metrics'],
    ['NUL in a figure', { ...state, metrics: { note: '\0' } }, 'metrics.note'],
    ['half a character in a figure', { ...state, metrics: { note: '\ud800' } }, 'metrics.note'],
    ['a symbol that only becomes ASCII in capitals', { ...state, symbol: 'ßßUSDT' }, 'symbol'],
    ['an interval that is none', { ...state, interval: '7m' }, 'interval'],
  ])('rejects %s', async (_what, payload, field) => {
    const response = await put(payload);
    expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, field]);
  });
});

describe('GET /api/openapi.json', () => {
  it('describes every route of the API and gives each error the problem form', async () => {
    const document = (await test.app.inject({ url: '/api/openapi.json' })).json<{
      openapi: string;
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    }>();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/backtest', '/api/klines', '/api/health']),
    );
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
        for (const [status, body] of errors) {
          expect([path, method, status, JSON.stringify(body)]).toEqual([
            path,
            method,
            status,
            expect.stringContaining('Problem'),
          ]);
        }
      }
    }
  });
});
