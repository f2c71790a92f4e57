import { createServer } from 'node:http';
import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { TRAIN_BARS_MIN } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { testEngine } from '../../../../workers/test/support/engine.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runOf } from '../../support/runs.ts';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';
import { savedOf } from '../../support/savedRuns.ts';
import { openPageOf } from '../../support/servedPage.ts';

/** A market as old as a test wants, whose newest candle closed last before now; prices follow from the time. */
const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 2, 10);
let state: unknown = null;
/** Open of the first candle there is. */
let firstMs = 0;

const server = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  response.sendDate = false;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(responseTo(pathname, query)));
});

function responseTo(pathname: string, query: URLSearchParams): unknown {
  if (pathname === '/api/backtest/state') return { state };
  if (pathname === '/api/tuning') return { weights: {} };
  if (!query.has('limit')) return { code: 'not_found', message: 'none' };
  const step = intervalMs[query.get('interval') as IntervalName];
  const end = Math.floor(Number(query.get('endTime') ?? Date.now()) / step);
  const count = Number(query.get('limit'));
  const time = Array.from({ length: count }, (_, i) => (end - count + i) * step).filter((at) => at >= firstMs);
  const priceAt = (at: number) => 100 + 5 * Math.sin(at / step / 9) + Math.sin(at / step / 2);
  const close = time.map(priceAt);
  const candles = {
    time,
    open: time.map((at) => priceAt(at - step)),
    high: close.map((price) => price + 2),
    low: close.map((price) => price - 2),
    close,
    volume: time.map(() => 10),
  };
  return { candles, exchange: 'binance', data_age_ms: 250 };
}

let engine: ReturnType<typeof startEngine>;
const memory = createMemoryDatabase();
beforeAll(async () => {
  await openPageOf(server);
  vi.stubGlobal('indexedDB', memory.factory);
  vi.useFakeTimers({ toFake: ['Date'], now: MIDNIGHT });
  engine = startEngine(await testEngine());
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(async () => {
  memory.records.clear();
  firstMs = 0;
  vi.setSystemTime(MIDNIGHT + 41 * 60_000 + 20_000);
  const { draft, forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  forgetRun();
  Object.assign(draft, { source: 'exchange', window: 'count', historyCount: 1200, strategy: 'live', interval: '1m' });
});

const { signal } = new AbortController();
const loading = { signal, onProgress: () => undefined };

/** Loads as the Run button does, and runs the rules of the form with no longer interval. */
async function runOfForm() {
  const { backtestInputOf } = await import('../../../src/features/backtest/run/input.ts');
  const { loadCandles } = await import('../../../src/features/backtest/run/setupCandles.ts');
  const { loadRules } = await import('../../../src/features/backtest/live/liveRun.ts');
  const { startLive } = await import('../../../src/features/backtest/live/liveSettings.ts');
  const loaded = await loadCandles(loading);
  const { params: _unused, ...market } = backtestInputOf(loaded);
  const rules = await loadRules(loaded, { ...startLive(), longer: [] }, signal);
  const ran = runTask(engine, { name: 'backtestStrategy', input: { ...market, ...rules } });
  if (!ran.ok) return { loaded, market, rules, error: ran.error.message };
  return { loaded, market, rules, result: ran.value as BacktestResult };
}

describe('Live rules in the standard window', () => {
  it.each(['1m', '5m'] as const)(
    'on %s score from the first scored candle on, at every hour',
    async (interval) => {
      const { draft } = await import('../../../src/features/backtest/backtestState.ts');
      draft.interval = interval;
      const failures: string[] = [];
      for (let hour = 0; hour < 24; hour++) {
        vi.setSystemTime(MIDNIGHT + hour * HOUR + 41 * 60_000 + 20_000);
        const { market, result, error } = await runOfForm();
        const isScored = market.scoredCount === 500 && result?.score.length === 500 && !result.score.some(Number.isNaN);
        if (!isScored) failures.push(`${hour}: ${market.scoredCount} of ${market.candles.time.length}, ${error}`);
      }
      expect(failures).toEqual([]);
    },
    60_000,
  );

  it('leave a search enough candles before the scored ones, at the worst minute of the day', async () => {
    // The last candle closes so that the first one opens a minute after midnight.
    const { draft, plannedWindow } = await import('../../../src/features/backtest/backtestState.ts');
    const loadedCount = plannedWindow(draft)?.loaded ?? 0;
    vi.setSystemTime(MIDNIGHT + (loadedCount % 1440) * 60_000 + 60_000);
    const { loaded, market, rules } = await runOfForm();
    expect((loaded.candles.time[0] ?? 0) % (24 * HOUR)).toBe(60_000);
    const whole = { ...market, ...rules, scoredCount: market.candles.time.length };
    const ran = runTask(engine, { name: 'backtestStrategy', input: whole });
    if (!ran.ok) throw new Error(ran.error.message);
    const { score } = ran.value as BacktestResult;
    const first = score.findIndex((each) => !Number.isNaN(each));
    expect(loaded.candles.time.length - 500 - first).toBeGreaterThanOrEqual(TRAIN_BARS_MIN);
  });

  it('take the range of one day too', async () => {
    const { draft } = await import('../../../src/features/backtest/backtestState.ts');
    vi.setSystemTime(MIDNIGHT + 10 * HOUR);
    Object.assign(draft, { window: 'range', range: { from: '2026-03-10', to: '2026-03-10' } });
    const { market, result } = await runOfForm();
    expect(market.scoredCount).toBe(600);
    expect(result?.score.some(Number.isNaN)).toBe(false);
  });
});

describe('what is loaded', () => {
  it('is the same for Classic, so that a change of strategy compares on the same candles', async () => {
    const { draft, plannedWindow } = await import('../../../src/features/backtest/backtestState.ts');
    for (const strategy of ['classic', 'live'] as const) {
      draft.strategy = strategy;
      expect(plannedWindow(draft)).toEqual({ loaded: 3480, scored: 500 });
    }
    const others = intervals.filter((name) => name !== '1m').map((interval) => plannedWindow({ ...draft, interval }));
    expect(others).toEqual(others.map(() => ({ loaded: 1200, scored: 500 })));
  });

  it('of a young market is all of it, and the usual share is scored', async () => {
    firstMs = MIDNIGHT - 2000 * 60_000;
    const { loaded, market } = await runOfForm();
    expect([loaded.candles.time.length, market.scoredCount]).toEqual([2041, 500]);
  });

  it('is named exactly by Verify', async () => {
    const { runBodyOf } = await import('../../../src/features/backtest/verify.ts');
    const { loaded, market } = await runOfForm();
    const body = runBodyOf({ ...runOf({}), loaded, scoredCount: market.scoredCount });
    expect(body).toMatchObject({ symbol: 'BTCUSDT', limit: 3480, isExact: true, scored: 500, isRange: false });
  });

  it('is restored after a reload, with its scored candles', async () => {
    const { restoreBacktest, stateOf } = await import('../../../src/features/backtest/savedState.ts');
    const { draft, forgetRun, runState } = await import('../../../src/features/backtest/backtestState.ts');
    const { backtestInputOf } = await import('../../../src/features/backtest/run/input.ts');
    const { loaded, market } = await runOfForm();
    state = stateOf({ ...runOf({}), loaded, scoredCount: market.scoredCount });
    forgetRun();
    vi.setSystemTime(MIDNIGHT + 5 * HOUR);
    await restoreBacktest();
    expect(runState.loaded?.candles.time).toEqual(loaded.candles.time);
    expect(runState.loaded && backtestInputOf(runState.loaded).scoredCount).toBe(500);
    expect([draft.window, draft.historyCount]).toEqual(['count', 1200]);
  });

  it('is restored of a saved run, and the form has the history that was chosen', async () => {
    const { restoreCandles, restoreSetup } = await import('../../../src/features/backtest/saved/restoreSetup.ts');
    const { draft } = await import('../../../src/features/backtest/backtestState.ts');
    const { backtestInputOf } = await import('../../../src/features/backtest/run/input.ts');
    const setup = { ...savedOf().setup, loaded: 3480, scored: 500, isRange: false, end_time: MIDNIGHT };
    const restored = await restoreCandles('1m', setup, 'd'.repeat(64), loading);
    restoreSetup(setup, restored);
    expect(backtestInputOf(restored.loaded)).toMatchObject({ scoredCount: 500 });
    expect(restored.loaded.candles.time).toHaveLength(3480);
    expect([draft.window, draft.historyCount]).toEqual(['count', 1200]);
  });
});
