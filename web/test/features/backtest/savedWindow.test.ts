import { createServer } from 'node:http';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';
import { runOf } from '../../support/runs.ts';
import { openPageOf } from '../../support/servedPage.ts';
import { patiently } from '../../support/patiently.ts';

/** A market of hourly candles since 2024; responses are held while `isHeld`. */
const HOUR = 3_600_000;
/** Noon of a day whose candles were loaded at midnight and a half. */
const NOON = Date.UTC(2026, 2, 10, 12);
let state: unknown = null;
let isHeld = false;
/** Responses that are held: of the pages, and of the candles that the server has stored. */
const heldResponses: (() => void)[] = [];

const server = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  response.sendDate = false;
  response.setHeader('content-type', 'application/json');
  const end = () => response.end(JSON.stringify(responseTo(pathname, query)));
  if (isHeld && query.has('limit')) heldResponses.push(end);
  else end();
});

function responseTo(pathname: string, query: URLSearchParams): unknown {
  if (pathname === '/api/backtest/state') return { state };
  if (pathname === '/api/tuning') return { weights: {} };
  if (!query.has('limit')) return { code: 'not_found', message: 'none' };
  const last = Number(query.get('endTime') ?? NOON) / HOUR;
  const count = Number(query.get('limit'));
  const hours = Array.from({ length: count }, (_, i) => last - count + i);
  const candles = {
    time: hours.map((hour) => hour * HOUR),
    ...Object.fromEntries(['open', 'high', 'low', 'close', 'volume'].map((name) => [name, hours.map(() => 100)])),
  };
  return { candles, exchange: 'binance', data_age_ms: 250 };
}

beforeAll(async () => {
  await openPageOf(server);
  vi.stubGlobal('indexedDB', createMemoryDatabase().factory);
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(async () => {
  const { forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  forgetRun();
  isHeld = false;
});

/** 600 hours up to eight in the morning of a day that is under way, scored whole from a midnight on. */
function morningRun() {
  const run = runOf({});
  const [count, scored] = [1310, 608];
  const endMs = NOON - 4 * HOUR;
  const time = Float64Array.from({ length: count }, (_, i) => endMs - (count - i) * HOUR);
  const flat = new Float64Array(count).fill(100);
  const candles = { time, open: flat, high: flat, low: flat, close: flat, volume: flat };
  const scoredFromMs = endMs - scored * HOUR;
  return { ...run, scoredCount: scored, loaded: { ...run.loaded, candles, scoredFromMs } };
}

it('a range that ends today is restored on the very candles of its run, with its days and not those of the form', async () => {
  const { restoreBacktest, stateOf } = await import('../../../src/features/backtest/savedState.ts');
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  const run = morningRun();
  // The form has been changed since, without a run.
  Object.assign(draft, { window: 'range', range: { from: '2025-01-01', to: '2025-02-01' } });
  const saved = stateOf(run);
  expect(saved.metrics).toMatchObject({ range_from: '2026-02-13', range_to: '2026-03-10' });
  state = saved;
  await restoreBacktest();
  const { loaded } = runState;
  expect([loaded?.candles.time.length, loaded?.candles.time[0], loaded?.candles.time.at(-1)]).toEqual([
    1310,
    run.loaded.candles.time[0],
    run.loaded.candles.time.at(-1),
  ]);
  expect(loaded?.scoredFromMs).toBe(Date.UTC(2026, 1, 13));
  expect([draft.window, draft.range.from, draft.range.to]).toEqual(['range', '2026-02-13', '2026-03-10']);
});

it('saved rules come into the form with their candles, and not before', async () => {
  const { openStrategy } = await import('../../../src/features/backtest/live/MyRules.tsx');
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  Object.assign(draft, { window: 'count', strategy: 'classic', interval: '1h' });
  isHeld = true;
  const value = liveRules(['4h']);
  const opening = openStrategy({ name: 'Mine', value });
  await vi.waitFor(() => expect(heldResponses.length).toBeGreaterThan(0), patiently);
  expect([draft.strategy, draft.interval, draft.live.own]).toEqual(['classic', '1h', null]);
  isHeld = false;
  for (const respond of heldResponses) respond();
  await opening;
  expect([draft.strategy, draft.interval, draft.live.own?.name]).toEqual(['live', '4h', 'Mine']);
  expect(runState.loaded?.interval).toBe('4h');
});

it('RULE-035 own rules are saved with their name and restored as their text', async () => {
  const { restoreBacktest, stateOf } = await import('../../../src/features/backtest/savedState.ts');
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  const text = 'n = 12 [5..50 step 1]\nlong when close > sma(close, n)';
  const own = strategyOfRules(text, '1h');
  if (!own.ok) throw new Error(JSON.stringify(own.error));
  const opened = { name: 'Mine', version: strategyVersion(own.value) };
  Object.assign(draft, { strategy: 'classic', rules: { text: 'long when close > 1', opened: null } });
  state = stateOf({ ...morningRun(), strategy: own.value, opened });
  expect(state).toMatchObject({ metrics: { rules_name: 'Mine', rules_version: opened.version } });
  await restoreBacktest();
  expect([draft.strategy, draft.rules]).toEqual(['own', { text, opened }]);
  expect(runState.loaded?.interval).toBe('1h');
});

it('the next try is counted on the candles that the setup names, and not on those of the run before', async () => {
  const { countedOn } = await import('../../../src/features/backtest/search/Detectable.tsx');
  const { countRun, markOf } = await import('../../../src/features/backtest/trialCounts.ts');
  const run = morningRun();
  countRun(markOf(run.loaded, run.result.hashes.data), run.params);
  const form = { source: 'exchange', symbol: 'BTCUSDT', interval: '1h', window: 'range' } as const;
  const tried = (from: string, to: string, scored: number) =>
    countedOn(run, { ...form, range: { from, to } }, { scored, barMs: HOUR });
  expect(tried('2026-02-13', '2026-03-10', 612)).toBe(1);
  expect(tried('2025-10-01', '2025-10-30', 720)).toBe(0);
});
