import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PortfolioResponse } from '../../../src/features/backtest/portfolio/contract.ts';
import { writeFundings } from '../../../src/features/history/fundingRepository.ts';
import { writeUniverse } from '../../../src/features/history/universeRepository.ts';
import type { FuturesSymbol, Interval } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** DEADUSDT traded like SOLUSDT at half its price, until it was delisted ten days ago. The exchange knows it no more. */
const DEAD = 'DEADUSDT';
const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const endMs = dayMs - 10 * DAY_MS + 9 * HOUR_MS;
/** End of the tests: after the end of the contract. */
const endTime = dayMs - 8 * DAY_MS;
const LIMIT = 600;
const startMs = endTime - LIMIT * HOUR_MS;
const alive = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const strategy = { ...liveRules(['1h', '4h']), entryThreshold: 0.2 };

let test: MarketApp;
let anna: TestUser;
let listings: FuturesSymbol[];

const halved = (candles: Candles): Candles => {
  const half = (column: Float64Array) => column.map((value) => value / 2);
  const { time, open, high, low, close, volume } = candles;
  return { time, open: half(open), high: half(high), low: half(low), close: half(close), volume };
};
/** Candles of a listed symbol, closed by `toMs`. */
async function candlesOf(symbol: string, interval: Interval, count: number, toMs: number): Promise<Candles> {
  const read = await test.deps.market.candles({ exchange: 'binance', symbol, interval, limit: count, endTimeMs: toMs });
  if (!read.ok) throw new Error(read.error.message);
  return read.value.value.candles;
}
async function store(symbol: string, interval: Interval, candles: Candles): Promise<void> {
  const span = { fromMs: candles.time[0] ?? 0, toMs: candles.time.at(-1) ?? 0 };
  await test.deps.candleStore.write({ exchange: 'binance', symbol, interval }, { ...span, candles });
}
const list = (symbols: FuturesSymbol[], atMs: number) =>
  withSystem(test.deps.db, (tx) =>
    writeUniverse(tx, { source: test.deps.historySource, exchange: 'binance' }, symbols, atMs),
  );

beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
  const listed = await test.deps.market.symbols({ exchange: 'binance' });
  if (!listed.ok) throw new Error(listed.error.message);
  listings = listed.value.value.filter(({ symbol }) => alive.includes(symbol));
  const sol = listings.find(({ symbol }) => symbol === 'SOLUSDT')!;
  const dead = { ...sol, symbol: DEAD, base: 'DEAD', tickSize: sol.tickSize / 10 };
  const [h1, h4] = [await candlesOf('SOLUSDT', '1h', 1200, endMs), await candlesOf('SOLUSDT', '4h', 800, endMs)];
  await store(DEAD, '1h', halved(h1));
  await store(DEAD, '4h', halved(h4));
  const before = Math.floor(startMs / DAY_MS) * DAY_MS;
  for (const symbol of alive) await store(symbol, '1d', await candlesOf(symbol, '1d', 1, before));
  await store(DEAD, '1d', await candlesOf('SOLUSDT', '1d', 1, before));
  const span = { fromMs: startMs - 40 * DAY_MS, toMs: endMs };
  const time: number[] = [];
  for (let atMs = Math.ceil(span.fromMs / (8 * HOUR_MS)) * 8 * HOUR_MS; atMs < endMs; atMs += 8 * HOUR_MS)
    time.push(atMs);
  const fundings = { time: Float64Array.from(time), rate: Float64Array.from(time, () => 0.001) };
  await withSystem(test.deps.db, (tx) =>
    writeFundings(tx, { source: test.deps.historySource, exchange: 'binance', symbol: DEAD }, span, fundings),
  );
  await list([...listings, dead], before - DAY_MS / 2);
  await list(listings, endMs);
});
afterAll(() => test.close());

const get = async <T>(url: string): Promise<T> => (await test.app.inject({ url, headers: anna.bearer })).json<T>();
async function post<T>(url: string, payload: object): Promise<T> {
  const response = await test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<T>();
}
const portfolio = (more: object = {}) =>
  post<PortfolioResponse>('/api/backtest/portfolio', { endTime, limit: LIMIT, strategy, honesty: false, ...more });

it('HIST-079 has the settled fundings of a past window from the store, and requests those of any other', async () => {
  const key = { source: test.deps.historySource, exchange: 'binance', symbol: 'XRPUSDT' } as const;
  const [fromMs, toMs] = [dayMs - 60 * DAY_MS, dayMs - 50 * DAY_MS];
  const time = Float64Array.from({ length: 30 }, (_, i) => fromMs + i * 8 * HOUR_MS);
  const fundings = { time, rate: time.map((_, i) => i / 1e6) };
  await withSystem(test.deps.db, (tx) => writeFundings(tx, key, { fromMs, toMs }, fundings));
  const read = async (sinceMs: number, untilMs: number) => {
    test.exchanges.requests.clear();
    const outcome = await test.deps.market.fundingHistory({ symbol: 'XRPUSDT', sinceMs, untilMs });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return { ...outcome.value.value, requests: test.exchanges.requests.all().length };
  };
  expect(await read(fromMs, toMs)).toEqual({ ...fundings, requests: 0 });
  const longer = await read(fromMs - 5 * DAY_MS, toMs);
  expect(longer.requests).toBeGreaterThan(0);
  expect(longer.time.length).toBeGreaterThan(time.length);
});

describe('a contract that the exchange has ended', () => {
  it('HIST-071 has its candles up to its end, its rules, and no current price', async () => {
    interface Klines {
      candles: { time: number[] };
    }
    const lastOpen = endMs - HOUR_MS;
    const newest = await get<Klines>(`/api/klines?symbol=${DEAD}&interval=1h&limit=100`);
    expect(newest.candles.time).toHaveLength(100);
    expect(newest.candles.time.at(-1)).toBe(lastOpen);
    // A window that ends two days later has fewer of them.
    const window = await get<Klines>(
      `/api/klines?symbol=${DEAD}&interval=1h&limit=100&endTime=${endMs + 60 * HOUR_MS}`,
    );
    expect(window.candles.time).toHaveLength(40);
    expect(window.candles.time.at(-1)).toBe(lastOpen);
    // One that starts after the end has none: the contract is known.
    const after = await test.deps.market.candles({
      symbol: DEAD,
      interval: '1h',
      limit: 100,
      endTimeMs: endMs + 101 * HOUR_MS,
    });
    expect(after).toMatchObject({ ok: true, value: { value: { candles: { time: new Float64Array() }, gaps: [] } } });
    const sol = listings.find(({ symbol }) => symbol === 'SOLUSDT')!;
    expect(await get(`/api/contract?symbol=${DEAD}`)).toMatchObject({
      contract: { symbol: DEAD, tickSize: sol.tickSize / 10, stepSize: sol.stepSize, tiers: null },
    });
    expect((await test.app.inject({ url: `/api/price?symbol=${DEAD}`, headers: anna.bearer })).statusCode).not.toBe(
      200,
    );
    // One that no list ever had stays unknown.
    const unknown = await test.app.inject({ url: '/api/klines?symbol=NEVERUSDT&interval=1h', headers: anna.bearer });
    expect(unknown.json()).toMatchObject({ code: 'symbol_unknown', field: 'symbol' });
  });

  it('HIST-071 is backtested with its own fundings and rules, and says that it was delisted', async () => {
    interface Run {
      trades: number;
      funding: number;
      last_candle_at: string;
      contract: { notes: string[] };
    }
    const run = await post<Run>('/api/backtest', {
      symbol: DEAD,
      interval: '1h',
      limit: 1000,
      strategy: liveRules(['1h']),
    });
    expect(run.last_candle_at).toBe(new Date(endMs - HOUR_MS).toISOString());
    expect(run.trades).toBeGreaterThan(0);
    expect(run.contract.notes).toContain(
      `Delisted on ${new Date(endMs).toISOString().slice(0, 10)}: the run ends with its last candle.`,
    );
  });

  it('HIST-073 is in the universe of a portfolio that starts while it was listed', async () => {
    const run = await portfolio();
    expect(run.universe_day).toBe(new Date(Math.floor(startMs / DAY_MS) * DAY_MS - DAY_MS).toISOString().slice(0, 10));
    expect(run.contributions.map(({ symbol }) => symbol)).toEqual([...alive, DEAD].sort());
    expect(run.contributions.find(({ symbol }) => symbol === DEAD)).toMatchObject({ has_ended: true });
    expect(run.survivors_text).toContain('Delisted since: 1.');
    expect(run.funding_missing).toEqual([]);
    const own = run.trades.filter(({ symbol }) => symbol === DEAD);
    expect(own.length).toBeGreaterThan(0);
    // What is open at its end is closed with its last candle, not held to the end of the account.
    for (const { exitTimeMs } of own) expect(exitTimeMs).toBeLessThanOrEqual(endMs);
  });

  it('HIST-074 measures the survivorship bias of that universe, by the run without it', async () => {
    const [all, survivors] = [await portfolio(), await portfolio({ symbols: alive })];
    const expected = (survivors.summary.netPnl - all.summary.netPnl) / all.account.equity;
    expect(all.survivor_bias).toEqual({ return_fraction: expected, reason: null });
    expect(expected).not.toBe(0);
    const named = await portfolio({ symbols: [...alive, DEAD] });
    expect(named.summary).toEqual(all.summary);
    expect(named.survivor_bias).toEqual(all.survivor_bias);
  });

  it('HIST-074 gives the reason where the bias cannot be measured', async () => {
    // Its candles end before the start of this one.
    const late = await portfolio({ symbols: [...alive, DEAD], endTime: dayMs, limit: 200 });
    expect(late.left_out).toEqual([{ symbol: DEAD, reason: 'no_candles' }]);
    expect(late.survivor_bias).toEqual({
      return_fraction: null,
      reason: 'No candles of 1 delisted symbol in this span: the bias cannot be measured.',
    });
    // Its rules were never stored: it cannot take part, and is not counted as if nothing had been delisted.
    const rules = (text: string) =>
      test.database.asOwner(`update history_listings set ${text} where symbol = '${DEAD}' and exchange = 'binance'`);
    const [stored] = await test.database.asOwner<{ rules: object }>(
      `select rules from history_listings where symbol = '${DEAD}' and exchange = 'binance'`,
    );
    await rules('rules = null');
    const without = await portfolio();
    await rules(`rules = '${JSON.stringify(stored?.rules)}'`);
    expect(without.universe_day).not.toBeNull();
    expect(without.left_out).toEqual([{ symbol: DEAD, reason: 'unknown' }]);
    expect(without.survivor_bias).toEqual({
      return_fraction: null,
      reason: 'No stored rules of 1 delisted symbol: the bias cannot be measured.',
    });
    // No stored list is that old.
    const old = await portfolio({ endTime: startMs - 30 * DAY_MS, symbols: alive });
    expect(old).toMatchObject({ universe_day: null, survivor_bias: { return_fraction: null } });
  });
});
