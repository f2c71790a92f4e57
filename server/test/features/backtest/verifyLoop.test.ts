import { alignMarks } from '@sextant/workers/src/candles/minutes.ts';
import { withContract } from '@sextant/workers/src/candles/contract.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { candleWindow, fundingWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestHashes, BacktestInput, BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { paramsFromWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRun } from '../../../src/features/backtest/loadRun.ts';
import { RunBacktestBody } from '../../../src/features/backtest/runContract.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Outcome } from '../../../src/platform/errors.ts';
import type { Market } from '../../../src/features/market/port.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

/**
 * The Verify button, repeated: the page loads candles and fundings at a moment and runs; later the server repeats the run from the end time
 * alone. The whole loop is 128 symbols at 20 moments (`npm run test:verify`); the ordinary suite runs the share below of it.
 */
const isWhole = process.env['VERIFY_LOOP'] === 'whole';
const [symbolsMax, momentStep] = isWhole ? [128, 1] : [4, 4];
const LOADED = 300;
const SCORED = 120;
const intervals = ['15m', '1h', '4h'] as const;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** 08:00 UTC, when symbols of four and of eight hours settle. */
const settled = Date.UTC(2025, 2, 14, 8);
const offsets = [
  // The last candle of every interval ends with a funding, and milliseconds around it.
  ...[0, 3, 1000, 59_999],
  // The first of 300 candles opens with one: an hour and 15 minutes candle further on.
  ...[HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR + 1],
  // Full hours without a funding, and moments between.
  ...[9 * HOUR, 10 * HOUR, 11 * HOUR - 1, 11 * HOUR + 15 * MINUTE],
  ...[12 * HOUR - 1, 12 * HOUR, 12 * HOUR + MINUTE, 15 * HOUR + 45 * MINUTE],
  ...[16 * HOUR, 16 * HOUR + 7 * MINUTE, 20 * HOUR, 24 * HOUR],
];

let exchanges: TestExchanges;
let market: Market;
let engine: ReturnType<typeof startEngine>;
beforeAll(async () => {
  exchanges = await startTestExchanges();
  market = exchanges.market(exchanges.venues());
  engine = startEngine(await loadModule());
});
afterAll(() => exchanges.close());

/** The four hashes; for a market too young for the votes, the error of the engine. */
function hashesOf(input: BacktestInput): BacktestHashes | string {
  const run = runTask(engine, { name: 'backtest', input });
  if (!run.ok) return run.error.message;
  return (run.value as BacktestResult).hashes;
}

const params = paramsFromWire(StrategyParamsWire.parse({}));

/** Retries after advancing the clock by the wait that our request budget of an exchange requires. */
async function requestAll<T>(request: () => Promise<Outcome<T>>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const response = await request();
    if (response.ok) return response.value;
    if (tries === 5) throw new Error(`${response.error.code}: ${response.error.message}`);
    exchanges.fake.limits.clear();
    exchanges.clock.advance(MINUTE);
  }
}

/** As web/src/features/backtest/history.ts does: the newest candles, and every funding up to and including that moment. */
async function runOnPage(symbol: string, interval: (typeof intervals)[number], atMs: number) {
  const step = intervalMs[interval];
  const result = await requestAll(() => market.candles({ symbol, interval, limit: LOADED, endTimeMs: atMs }));
  const sinceMs = atMs - (LOADED + 1) * step;
  const history = await requestAll(() => market.fundingHistory({ symbol, sinceMs, untilMs: atMs + 1 }));
  const { candles } = result.value;
  const window = candleWindow(candles.time, step);
  const funding = fundingWithin(history.value, window);
  const limit = (window.untilMs - window.fromMs) / step;
  const marks = await requestAll(() =>
    market.candles({ symbol, interval, limit, endTimeMs: window.untilMs, price: 'mark' }),
  );
  const contract = await requestAll(() => market.contract({ symbol }));
  const aligned = alignMarks(candles, marks.value.candles);
  const input = {
    candles,
    params,
    costs: withContract({ ...defaultCosts, ...standardLiquidity, funding }, contract.value),
    ...(aligned === null ? {} : { markPrices: aligned.prices }),
  };
  const scoredCount = Math.min(SCORED, candles.time.length);
  return {
    hashes: hashesOf({ ...input, scoredCount }),
    endTime: window.untilMs,
    window,
    count: candles.time.length,
    funding,
  };
}

async function runOnServer(symbol: string, interval: string, limit: number, endTime: number) {
  const scored = Math.min(SCORED, limit);
  const body = RunBacktestBody.parse({ symbol, interval, limit: Math.max(100, limit), endTime, scored });
  const { input } = await requestAll(() => loadRun(market, undefined, body, new AbortController().signal));
  return hashesOf(input);
}

it(
  'page and server have the same four hashes, also where a funding falls on the first open or the last close',
  async () => {
    // Every funding around the windows has settled.
    exchanges.clock.set(settled + 33 * HOUR);
    const listed = await requestAll(() => market.symbols());
    const traded = listed.value.filter(({ status }) => status === 'trading');
    const symbols = traded.map(({ symbol }) => symbol).slice(0, symbolsMax);
    const moments = offsets.filter((_, i) => i % momentStep === 0).map((offset) => settled + offset);
    const different: string[] = [];
    const seen = { onFirstOpen: 0, onLastClose: 0 };
    const runs: ({ symbol: string; interval: string } & Awaited<ReturnType<typeof runOnPage>>)[] = [];
    for (const atMs of moments) {
      for (const symbol of symbols) {
        for (const interval of intervals) {
          const page = await runOnPage(symbol, interval, atMs);
          runs.push({ symbol, interval, ...page });
          if (Math.floor((page.funding.time[0] ?? 0) / 1000) * 1000 === page.window.fromMs) seen.onFirstOpen += 1;
          if (page.endTime % (8 * HOUR) === 0) seen.onLastClose += 1;
        }
      }
    }
    for (const { symbol, interval, count, endTime, hashes } of runs) {
      const server = await runOnServer(symbol, interval, count, endTime);
      if (JSON.stringify(server) !== JSON.stringify(hashes)) different.push(`${symbol} ${interval} until ${endTime}`);
    }
    expect(different).toEqual([]);
    expect(runs.filter(({ hashes }) => typeof hashes === 'string').length).toBeLessThan(runs.length / 20);
    expect(runs).toHaveLength(symbols.length * intervals.length * moments.length);
    expect(seen.onFirstOpen).toBeGreaterThan(0);
    expect(seen.onLastClose).toBeGreaterThan(0);
  },
  isWhole ? 3_600_000 : 60_000,
);
