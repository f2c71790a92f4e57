import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';
import { runOf } from '../../support/runs.ts';
import { openPageOf } from '../../support/servedPage.ts';

// The engine is not what is tested: a run gives the result of `runOf`.
vi.mock(import('../../../src/engine/quickBacktest.ts'), async (original) => ({
  ...(await original()),
  quickBacktest: () => ({ ok: true, value: runOf({}).result }) as never,
  warmQuickBacktest: () => undefined,
}));

/** A market of hourly candles; its contract rules are served by `rules`. */
const HOUR = 3_600_000;
const END = 500_000;
const contractOf = (exchange: string) => ({
  exchange,
  symbol: 'BTCUSDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 100,
  maxQuantity: 0,
  leverageMax: 20,
  tiers: [],
});
type Serve = (response: ServerResponse, exchange: string) => void;
const listed: Serve = (response, exchange) =>
  response.end(JSON.stringify({ contract: contractOf(exchange), exchange, data_age_ms: 1 }));
const problem =
  (status: number, body: object): Serve =>
  (response) => {
    response.statusCode = status;
    response.setHeader('content-type', 'application/problem+json');
    response.end(JSON.stringify(body));
  };
const unlisted = problem(404, { code: 'symbol_unknown', detail: 'BTCUSDT is not listed on bybit.' });
const down = problem(503, { code: 'upstream_unavailable', detail: 'Bybit is not reachable.' });
let rules: Serve;
/** The network of the rules and of the candles. */
const gone: Serve = (response) => response.destroy();
let isCut = false;

const server = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  response.setHeader('content-type', 'application/json');
  if (isCut) return void response.destroy();
  if (pathname === '/api/contract') {
    rules(response, query.get('exchange') ?? '');
    return;
  }
  if (pathname === '/api/funding') return void response.end(JSON.stringify({ history: [] }));
  const count = Number(query.get('limit') ?? 0);
  const time = Array.from({ length: count }, (_, i) => (END - count + i) * HOUR);
  const flat = time.map(() => 100);
  const candles = { time, open: flat, high: flat, low: flat, close: flat, volume: flat };
  response.end(JSON.stringify({ candles, exchange: 'binance', data_age_ms: 1 }));
});

const memory = createMemoryDatabase();
beforeAll(async () => {
  await openPageOf(server);
  vi.stubGlobal('indexedDB', memory.factory);
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(async () => {
  const { forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  forgetRun();
  memory.records.clear();
  rules = listed;
  isCut = false;
  vi.useRealTimers();
});

async function load(venue: VenueId) {
  const { loadFromExchange } = await import('../../../src/features/backtest/history.ts');
  const { signal } = new AbortController();
  return loadFromExchange({ symbol: 'BTCUSDT', interval: '1h', count: 700, endTimeMs: END * HOUR, venue, signal });
}

async function wordsOf(loaded: Awaited<ReturnType<typeof load>>): Promise<string> {
  const { contractWords } = await import('../../../src/features/backtest/results/contractWords.ts');
  return contractWords({ ...runOf({}), loaded });
}

it('a symbol that the exchange does not list runs without rules, and the run says so', async () => {
  rules = unlisted;
  const loaded = await load('bybit');
  expect([loaded.contract, loaded.rulesVenue]).toEqual([null, 'bybit']);
  expect(await wordsOf(loaded)).toBe('Bybit does not list BTCUSDT: sizes and prices are not rounded.');
});

it.each([
  [
    'an exchange that is down',
    down,
    'Contract rules of BTCUSDT on Bybit did not load. Bybit is not reachable. Try again.',
  ],
  [
    'an error of the server',
    problem(500, { code: 'internal' }),
    'Contract rules of BTCUSDT on Bybit did not load. Try again.',
  ],
  [
    'a server that says when',
    problem(500, { code: 'internal', message: 'The database is unavailable. Try again shortly.' }),
    'Contract rules of BTCUSDT on Bybit did not load. The database is unavailable. Try again shortly.',
  ],
  [
    'a network that is down',
    gone,
    'Server unreachable, and this browser has no contract rules of BTCUSDT on Bybit. Check your connection and try again.',
  ],
])('%s fails the run with the name of the exchange', async (_, serve, message) => {
  rules = serve;
  await expect(load('bybit')).rejects.toThrow(message);
});

it('without a network the stored rules are used with their age; an exchange that is down still fails the run', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: END * HOUR });
  const first = await load('bybit');
  expect([first.contract?.stepSize, first.rulesStoredAtMs]).toEqual([0.001, undefined]);
  vi.setSystemTime((END + 52) * HOUR);
  isCut = true;
  const stored = await load('bybit');
  expect([stored.contract, stored.rulesStoredAtMs]).toEqual([first.contract, END * HOUR]);
  const { warningsOf } = await import('../../../src/features/backtest/results/RunFacts.tsx');
  expect(warningsOf({ ...runOf({}), loaded: stored })).toContain(
    'Contract rules of Bybit: 2 d 4 h old, loaded 2027-01-15 08:00 UTC.',
  );
  isCut = false;
  rules = down;
  await expect(load('bybit')).rejects.toThrow('did not load');
});

it('an exchange whose rules cannot be loaded runs nothing under those of another; trying again does', async () => {
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  const { backtestInputOf } = await import('../../../src/features/backtest/run/input.ts');
  const { loadCandles } = await import('../../../src/features/backtest/run/setupCandles.ts');
  const { chooseVenue, loadAndRun, rerun } = await import('../../../src/features/backtest/runner.ts');
  Object.assign(draft, { historyCount: 700, fineData: false });
  await loadAndRun();
  expect(runState.phase).toEqual({ name: 'result' });
  const { run } = runState;
  expect(run?.costs.rulesOf?.exchange).toBe('binance');

  rules = down;
  await chooseVenue('bybit');
  const failure =
    'Backtest failed: Contract rules of BTCUSDT on Bybit did not load. Bybit is not reachable. Try again.';
  expect(runState.phase).toEqual({ name: 'error', message: failure });
  await rerun();
  expect([runState.phase, runState.run]).toEqual([{ name: 'error', message: failure }, run]);
  // What a search here or on the server would start from.
  const loading = { signal: new AbortController().signal, onProgress: () => undefined };
  await expect(loadCandles(loading)).rejects.toThrow('did not load');

  rules = listed;
  expect(backtestInputOf(await loadCandles(loading)).costs.rulesOf?.exchange).toBe('bybit');
  await loadAndRun();
  expect([runState.phase.name, runState.run?.costs.rulesOf?.exchange]).toEqual(['result', 'bybit']);

  rules = unlisted;
  await chooseVenue('okx');
  expect([runState.phase.name, runState.loaded?.contract]).toEqual(['result', null]);
  expect(runState.run?.costs.rulesOf).toEqual({ exchange: 'okx', symbol: 'BTCUSDT', areTiersAssumed: true });
});

it('a run that was replaced by a newer one does not take its result for its own', async () => {
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  const { loadAndRun } = await import('../../../src/features/backtest/runner.ts');
  Object.assign(draft, { historyCount: 700, fineData: false });
  // As the run that opens the page, and the Run button pressed meanwhile, which saves its run.
  expect(await Promise.all([loadAndRun(), loadAndRun()])).toEqual([false, true]);
  expect([runState.phase.name, await loadAndRun()]).toEqual(['result', true]);
});

it('a file keeps its rules when those of another exchange cannot be loaded, and no text says that it is not listed', async () => {
  const { draft, runState } = await import('../../../src/features/backtest/backtestState.ts');
  const { chooseFileRules } = await import('../../../src/features/backtest/runner.ts');
  const { toastState } = await import('../../../src/state/toasts.ts');
  draft.feeVenue = 'bybit';
  await chooseFileRules('BTCUSDT');
  expect(runState.fileContract?.exchange).toBe('bybit');
  rules = down;
  await chooseFileRules('ETHUSDT');
  expect(runState.fileContract?.symbol).toBe('BTCUSDT');
  const texts = JSON.stringify(toastState.messages);
  expect(texts).toContain('Contract rules of ETHUSDT on Bybit did not load.');
  expect(texts).not.toContain('does not list');
});
