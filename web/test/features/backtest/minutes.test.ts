import { createServer } from 'node:http';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { LoadedMinutes } from '@sextant/workers/src/candles/settle.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';
import { runOf } from '../../support/runs.ts';
import { openPageOf } from '../../support/servedPage.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Requested candles, request by request. */
let requested: number[][] = [];
/** Candles whose second half hour the exchange does not have. */
let torn: number[] = [];
let isFailing = false;
/** The server never responds. */
let isSilent = false;

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (part: Buffer) => (text += part.toString()));
  request.on('end', () => {
    if (isSilent) return;
    if (isFailing) {
      response.writeHead(502, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ code: 'upstream_failed', detail: 'The exchange is away.' }));
      return;
    }
    const { opens } = JSON.parse(text) as { opens: number[] };
    requested.push(opens);
    const time = opens.flatMap((open) =>
      Array.from({ length: torn.includes(open) ? 30 : 60 }, (_, i) => open + i * MINUTE),
    );
    const flat = time.map(() => 100);
    const candles = { time, open: flat, high: flat, low: flat, close: flat, volume: flat };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ symbol: 'BTCUSDT', exchange: 'binance', market: 'simulated', data_age_ms: 0, candles }),
    );
  });
});

beforeAll(async () => {
  await openPageOf(server);
  vi.stubGlobal('indexedDB', createMemoryDatabase().factory);
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requested = [];
  torn = [];
  [isFailing, isSilent] = [false, false];
});

const { loaded } = runOf({});
const opensOf = (from: number, count: number): number[] => Array.from(loaded.candles.time.slice(from, from + count));
const loading = () => ({ signal: new AbortController().signal });
const load = async () => import('../../../src/features/backtest/minutes.ts');

it('minutes are requested in parts, and after a reload they are here without a request', async () => {
  const { loadMinutes, knownMinutes } = await load();
  const progress: [number, number][] = [];
  await loadMinutes(loaded, opensOf(0, 130), { ...loading(), onProgress: (...at) => progress.push(at) });
  expect(requested.map(({ length }) => length)).toEqual([120, 10]);
  expect(progress).toEqual([
    [120, 130],
    [130, 130],
  ]);
  expect(knownMinutes(loaded).get(opensOf(5, 1)[0]!)?.time).toHaveLength(60);
  vi.resetModules();
  const again = await load();
  await again.openMinutes(loaded);
  const known = again.knownMinutes(loaded);
  expect([...known.keys()]).toEqual(opensOf(0, 130));
  expect(known.get(opensOf(129, 1)[0]!)?.time[59]).toBe(opensOf(129, 1)[0]! + 59 * MINUTE);
  expect(requested).toHaveLength(2);
});

/** A run in which these candles are open; it knows those whose minutes it was given. */
const runRequesting = (bars: readonly number[]) => {
  const given: (number | undefined)[] = [];
  const run = (minutes: Candles | undefined): Promise<BacktestResult> => {
    given.push(minutes?.time.length);
    const isThere = (bar: number): boolean => minutes?.time.includes(loaded.candles.time[bar]!) === true;
    const unknownBars = bars.filter((bar) => !isThere(bar));
    return Promise.resolve({ ...runOf({}).result, askedBars: [...bars], unknownBars });
  };
  return { run, given };
};

it('a run is given the known minutes, and says what is missing; what the exchange does not have is not requested again', async () => {
  const { loadMinutes, runOnKnown } = await load();
  torn = opensOf(301, 1);
  await loadMinutes(loaded, opensOf(300, 2), loading());
  const { run, given } = runRequesting([300, 301, 302]);
  const result = await runOnKnown(loaded, run);
  expect(given).toEqual([undefined, 60]);
  expect(result.minutes?.time).toHaveLength(60);
  expect(result.missing).toEqual(opensOf(302, 1));
  await loadMinutes(loaded, result.missing, loading());
  const next = runRequesting([300, 301, 302]);
  expect((await runOnKnown(loaded, next.run)).missing).toEqual([]);
  // The minutes of the previous run come first: mostly the next one needs the same.
  expect(next.given).toEqual([60, 120]);
});

it.each([
  ['a file', { source: 'csv', exchange: null }],
  ['candles of a minute', { interval: '1m', intervalMs: MINUTE }],
  ['another exchange', { exchange: 'bybit' }],
] as const)('%s has no minutes', async (_name, change) => {
  const { canHaveMinutes, runOnKnown } = await load();
  const market = { ...loaded, ...change };
  expect(canHaveMinutes(market)).toBe(false);
  expect(canHaveMinutes({ ...loaded, intervalMs: HOUR })).toBe(true);
  const { run, given } = runRequesting([300]);
  expect((await runOnKnown(market, run)).missing).toEqual([]);
  expect(given).toEqual([undefined]);
});

describe('minutes that a search requests', () => {
  it('are requested once, reported in candles, and not again when they are here', async () => {
    const { minuteLoader } = await load();
    const opens = opensOf(500, 130);
    const progress: [number, number][] = [];
    const requesting = { ...loading(), deadlineMs: 60_000, onProgress: (...at: [number, number]) => progress.push(at) };
    const first = await minuteLoader(loaded, requesting)(opens.slice(0, 10));
    expect(first.found.get(opens[9]!)?.time).toHaveLength(60);
    await minuteLoader(loaded, requesting)(opens);
    expect(requested.map(({ length }) => length)).toEqual([10, 120]);
    expect(progress).toEqual([
      [0, 10],
      [10, 10],
      [10, 130],
      [130, 130],
    ]);
    await minuteLoader(loaded, requesting)(opens);
    expect(requested).toHaveLength(2);
  });

  it('that do not come leave a reason: the server, the time, or the user who did not wait', async () => {
    const { minuteLoader, SKIPPED } = await load();
    const waiting = { ...loading(), deadlineMs: 60_000 };
    isFailing = true;
    const [open] = opensOf(700, 1) as [number];
    const why = ({ found, problem }: LoadedMinutes) => [problem, found.has(open)];
    expect(why(await minuteLoader(loaded, waiting)([open]))).toEqual(['The exchange is away.', false]);
    isFailing = false;
    isSilent = true;
    const skip = new AbortController();
    const skipped = minuteLoader(loaded, { ...waiting, skip: skip.signal })([open]);
    skip.abort();
    expect(why(await skipped)).toEqual([SKIPPED, false]);
    const late = await minuteLoader(loaded, { ...loading(), deadlineMs: 1 })([open]);
    expect(why(late)).toEqual(['The server took too long.', false]);
    // A search that is cancelled has no result at all.
    const cancelled = new AbortController();
    const ended = minuteLoader(loaded, { signal: cancelled.signal, deadlineMs: 60_000 })(opensOf(700, 1));
    cancelled.abort(new Error('cancelled'));
    await expect(ended).rejects.toThrow('cancelled');
  });
});
