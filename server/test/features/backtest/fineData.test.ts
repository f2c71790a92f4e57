import { MINUTE_BARS_MAX } from '@sextant/workers/src/core/limits.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { daysAgoMs } from '../../support/hours.ts';

const HOUR_MS = 3_600_000;
/** After the market was listed, and long past. */
const endTime = daysAgoMs(30);

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
  // Cached, so that its candles are available when the exchange fails.
  await post('/api/backtest', { ...tight, symbol: 'XRPUSDT', fineData: false });
});
afterAll(() => test.close());
afterEach(() => test.exchanges.faults.clear());

type Columns = Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
type ResponseBody = Pick<BacktestResult['summary'], 'ambiguousFraction' | 'netPnl' | 'tradeCount'> & {
  hashes: BacktestResult['hashes'];
  fineDataProblem: string | null;
  tradeList: BacktestResult['trades'];
};

const post = async <T>(url: string, payload: object): Promise<T> => {
  const response = await test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<T>();
};
const get = async <T>(url: string): Promise<T> => (await test.app.inject({ url, headers: anna.bearer })).json<T>();

/** Stop and target at half a percent: many hours hold both. Longs and shorts at every second signal of the votes. */
const tight = {
  symbol: 'ETHUSDT',
  interval: '1h',
  limit: 600,
  endTime,
  params: { entryThreshold: 0.05, slPct: 0.004, tpPct: 0.005 },
  rulesOf: 'none',
  costs: {
    fundingSource: 'off',
    leverage: 3,
    takerFeeFraction: 0,
    slippageFraction: 0,
    stopSlippageFraction: 0,
    ...withoutLiquidity,
  },
};

/** Requests the minutes of these candles: on some markets one call does not return all. */
async function minutesOf(opens: number[]): Promise<Columns> {
  const hours = [...new Set(opens)];
  const minutes: Columns = { time: [], open: [], high: [], low: [], close: [], volume: [] };
  for (let from = 0; from < hours.length; from += MINUTE_BARS_MAX) {
    const requested = { symbol: 'ETHUSDT', interval: '1h', opens: hours.slice(from, from + MINUTE_BARS_MAX) };
    const { candles } = await post<{ candles: Columns }>('/api/minute-candles', requested);
    for (const name of Object.keys(minutes) as (keyof Columns)[]) minutes[name].push(...candles[name]);
  }
  return minutes;
}

/** The exit by the minutes of a candle, computed step by step: SL, TP, or null where one minute holds both. */
function exitByHand(trade: ResponseBody['tradeList'][number], minutes: Columns, candleMs: number): 'SL' | 'TP' | null {
  const sign = trade.side === 'LONG' ? 1 : -1;
  for (const [i, time] of minutes.time.entries()) {
    if (time < candleMs || time >= candleMs + HOUR_MS) continue;
    const [best, worst] = sign > 0 ? [minutes.high[i]!, minutes.low[i]!] : [minutes.low[i]!, minutes.high[i]!];
    const isStopped = sign * worst <= sign * trade.stopLossPrice;
    const isReached = sign * best >= sign * trade.takeProfitPrice;
    if (isStopped && isReached) return null;
    if (isStopped || isReached) return isStopped ? 'SL' : 'TP';
  }
  return null;
}

const searched = { ...tight, optimize: { samples: 40, seed: 3, trainOn: 'scored' } };
interface Match {
  best: { value: number; hashes: BacktestResult['hashes']; bestParams: object };
  minutes?: { candles: number; absent: number; beyond: number; problem: string | null };
  trialsHash: string;
}

describe('a search on the candles of a symbol', () => {
  it('loads the minutes its sets need: the best set alone gives the same hashes, and the same search the same sets', async () => {
    const result = await post<Match>('/api/backtest', searched);
    expect(result.minutes).toMatchObject({ beyond: 0, problem: null });
    expect(result.minutes!.candles).toBeGreaterThan(20);
    const alone = await post<ResponseBody>('/api/backtest', { ...tight, params: result.best.bestParams });
    expect(result.best.hashes).toEqual(alone.hashes);
    const again = await post<Match>('/api/backtest', searched);
    expect([again.trialsHash, again.minutes]).toEqual([result.trialsHash, result.minutes]);
    const plain = await post<Match>('/api/backtest', { ...searched, fineData: false });
    expect(plain.minutes).toBeUndefined();
    expect(plain.trialsHash).not.toBe(result.trialsHash);
  });
});

describe('a run on the candles of a symbol', () => {
  it('takes the exit that the minutes show where one candle held stop and target', async () => {
    const plain = await post<ResponseBody>('/api/backtest', { ...tight, fineData: false });
    const fine = await post<ResponseBody>('/api/backtest', tight);
    const open = plain.tradeList.filter(({ isAmbiguous }) => isAmbiguous);
    expect(open.length).toBeGreaterThan(5);
    const { candles } = await get<{ candles: Columns }>(
      `/api/klines?symbol=ETHUSDT&interval=1h&limit=600&endTime=${endTime}`,
    );
    const opens = open.map(({ exitIndex }) => candles.time[exitIndex]!);
    const minutes = await minutesOf(opens);
    const expected = open.map((trade, i) => exitByHand(trade, minutes, opens[i]!));
    expect(new Set(expected)).toContain('TP');
    const shown = open.map(({ entryIndex }) => fine.tradeList.find((trade) => trade.entryIndex === entryIndex));
    expect(shown.map((trade) => (trade?.isAmbiguous === true ? null : trade?.closeReason))).toEqual(expected);
    // An exit at the target instead of the stop, free of costs: 0.9 % of the position of each of them, within the rounding to ticks.
    const better = expected.filter((reason) => reason === 'TP').length;
    const { quantity, entryPrice } = plain.tradeList[0]!;
    expect((fine.netPnl - plain.netPnl) / (quantity * entryPrice)).toBeCloseTo(0.009 * better, 3);
    expect(fine.ambiguousFraction * fine.tradeCount).toBeCloseTo(expected.filter((each) => each === null).length, 9);
    expect((await post<ResponseBody>('/api/backtest', tight)).hashes).toEqual(fine.hashes);
  });

  it('is the same when its candles, mark prices and minutes are sent', async () => {
    const named = await post<ResponseBody>('/api/backtest', tight);
    const query = `symbol=ETHUSDT&interval=1h&limit=600&endTime=${endTime}`;
    const [{ candles }, { candles: marks }] = await Promise.all([
      get<{ candles: Columns }>(`/api/klines?${query}`),
      get<{ candles: Columns }>(`/api/klines?${query}&price=mark`),
    ]);
    const minutes = await minutesOf(named.tradeList.map(({ exitIndex }) => candles.time[exitIndex]!));
    const { open, high, low } = marks;
    const { params, costs, interval } = tight;
    const own = {
      interval,
      params,
      costs,
      candles,
      markPrices: { open, high, low },
      fineCandles: minutes,
      scored: 500,
    };
    // The fundings of the symbol are in the hash of its data.
    const { result } = named.hashes;
    expect((await post<ResponseBody>('/api/backtest', own)).hashes.result).toBe(result);
    expect((await post<ResponseBody>('/api/backtest', { ...own, fineCandles: undefined })).hashes.result).not.toBe(
      result,
    );
  });

  it('rejects minutes that are a candle off, naming the first that differs', async () => {
    const query = `symbol=ETHUSDT&interval=1h&limit=600&endTime=${endTime}`;
    const { candles } = await get<{ candles: Columns }>(`/api/klines?${query}`);
    const minutes = await minutesOf(candles.time.slice(-3));
    const late = { ...minutes, time: minutes.time.map((time) => time + 60_000) };
    const { interval, costs } = tight;
    const payload = { interval, costs, candles, fineCandles: late, scored: 500 };
    const response = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: anna.bearer, payload });
    // Shifted by a minute, the first hour has 59 of them, which stay inside it: the 60th starts the first whole hour.
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      field: expect.stringMatching(/^fineCandles\.(high|low|open|close)\.59$/) as string,
    });
  });

  it('runs without the data the exchange fails to return, as a run without fine data does, and says why', async () => {
    const requested = { ...tight, symbol: 'SOLUSDT' };
    const plain = await post<ResponseBody>('/api/backtest', { ...requested, fineData: false });
    for (const endpoint of ['mark', 'klines'] as const)
      test.exchanges.faults.add({ fault: 'serverError', endpoint, retryAfterS: 30, delayMs: 0 });
    const run = await post<ResponseBody>('/api/backtest', requested);
    expect(run.hashes).toEqual(plain.hashes);
    expect(run.ambiguousFraction).toBeGreaterThan(0);
    const both: unknown = expect.stringMatching(/^Mark prices: .+\. Minute candles: .+\.$/);
    expect([plain.fineDataProblem, run.fineDataProblem]).toEqual([null, both]);
  });

  it('says why it has no minutes where only the mark prices arrived, and nothing where both did', async () => {
    const requested = { ...tight, exchange: 'okx', symbol: 'BNBUSDT' };
    await post<ResponseBody>('/api/backtest', { ...requested, fineData: false });
    test.exchanges.faults.add({ fault: 'serverError', endpoint: 'klines', retryAfterS: 30, delayMs: 0 });
    const without = await post<ResponseBody>('/api/backtest', requested);
    expect(without.fineDataProblem).toMatch(/^Minute candles: ./);
    const whole = { ...requested, exchange: 'bybit' };
    test.exchanges.faults.clear();
    expect((await post<ResponseBody>('/api/backtest', whole)).fineDataProblem).toBeNull();
  });

  it('of a shared link gives the visitor the data it was run with; a link of an earlier version has none', async () => {
    const { params, costs, interval, limit, symbol } = tight;
    const named = await post<ResponseBody>('/api/backtest', tight);
    const state = await get<{ backtest: { params: object } }>('/api/backtest/last');
    const link = { symbol, exchange: 'binance', interval, limit, endTime, scored: 500, costs };
    const whole = { ...link, params: { ...state.backtest.params, ...params } };
    type Shared = { hashes: ResponseBody['hashes']; fineCandles: Columns | null; markPrices: object | null };
    const fine = await post<Shared>('/api/shared-backtest', { ...whole, fineData: true });
    expect(fine.hashes).toEqual(named.hashes);
    expect(fine.fineCandles?.time.length).toBeGreaterThan(0);
    const before = await post<Shared>('/api/shared-backtest', whole);
    expect(before).toMatchObject({ fineCandles: null, markPrices: null });
    expect(before.hashes).toEqual((await post<ResponseBody>('/api/backtest', { ...tight, fineData: false })).hashes);
  });

  it('rejects mark prices and minutes beside a symbol', async () => {
    const payload = { ...tight, markPrices: { open: [1], high: [1], low: [1] } };
    const response = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: anna.bearer, payload });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed', field: 'markPrices' });
  });
});

describe('a search whose minutes cannot be loaded', () => {
  it('runs without minutes, and says why', async () => {
    const other = { ...searched, symbol: 'XRPUSDT' };
    for (const endpoint of ['mark', 'klines'] as const)
      test.exchanges.faults.add({ fault: 'serverError', endpoint, retryAfterS: 30, delayMs: 0 });
    const result = await post<Match>('/api/backtest', other);
    expect(result.minutes).toMatchObject({ candles: 0, absent: 0 });
    expect(result.minutes!.beyond).toBeGreaterThan(0);
    expect(result.minutes!.problem).not.toBeNull();
  });
});

describe('a run whose mark prices wait for a slot at the exchange', () => {
  it('is rejected for a client that retries, with the exchange and the seconds, instead of running without them', async () => {
    const payload = { ...tight, exchange: 'bybit', symbol: 'ADAUSDT' };
    const plain = await post<ResponseBody>('/api/backtest', { ...payload, fineData: false });
    test.exchanges.faults.add({ fault: 'rateLimited', venue: 'bybit', endpoint: 'mark', retryAfterS: 1, delayMs: 0 });
    const headers = { ...anna.bearer, prefer: 'wait=2' };
    const rejected = await test.app.inject({ method: 'POST', url: '/api/backtest', headers, payload });
    expect(rejected.statusCode, rejected.body).toBe(503);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(rejected.json()).toMatchObject({ code: 'upstream_rate_limited', exchange: 'bybit' });
    // A client that does not retry gets the run without them.
    const without = await post<ResponseBody>('/api/backtest', payload);
    expect(without.hashes).toEqual(plain.hashes);
    expect(without.fineDataProblem).toMatch(/^Mark prices: /);
  });
});
