import { HOUR_MS, intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { type Bet, clustersOf } from '@sextant/workers/src/signals/clusters.ts';
import { deadlineOf, resolveSignal } from '@sextant/workers/src/signals/outcome.ts';
import { calibrate } from '@sextant/workers/src/signals/reliability.ts';
import {
  liveSignalCandles,
  neutralTuning,
  rulesOf,
  signalSizing,
  standardSizing,
  timeframesOf,
} from '@sextant/workers/src/signals/signalRules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { createSeededMarket } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { listingOf } from '../../../../fakes/exchanges/market/venues.ts';
import { lastClosedOpen } from '../../../../src/features/market/intervals.ts';
import type { CandleRequest, FuturesSymbol, Interval } from '../../../../src/features/market/port.ts';
import { createConfidenceBases, stateConfidence } from '../../../../src/features/signals/confidenceBasis.ts';
import { type ReplayDeps, replayRecord } from '../../../../src/features/trackRecord/replay/replayRecord.ts';
import { finestFor } from '../../../../src/features/trackRecord/resolveSignals.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

/**
 * The simulated market at a moment, then run forward: chances stated from the replay alone, judged by the outcomes that followed. The
 * market is read in process, so that weeks pass in seconds.
 */
const isFull = process.env['STATISTICS'] === 'full';
const SYMBOLS = isFull ? 20 : 4;
const MOMENTS = isFull ? 120 : 60;
/** The product replays daily; this often here. */
const MOMENTS_PER_REPLAY = isFull ? 12 : 30;
/** Not a divisor of the day, so that all hours are seen. */
const STEP_MS = 31 * HOUR_MS;
const startMs = Date.UTC(2025, 2, 3, 5);

const seeded = createSeededMarket(7);
const listings = new Map(
  instruments.flatMap((instrument) => {
    const listing = listingOf('binance', instrument);
    return listing === undefined ? [] : [[listing.id, listing] as const];
  }),
);
const names = [...listings.keys()].slice(0, SYMBOLS);

/** Closed candles whose opens are within the span. */
function candlesIn(symbol: string, interval: Interval, fromMs: number, toMs: number): Candles {
  const listing = listings.get(symbol)!;
  const stepMs = intervalMs[interval];
  const bars = seeded.candles(listing, interval, fromMs, toMs + 1, toMs + stepMs);
  const tick = 10 ** listing.priceDecimals;
  const price = (name: 'open' | 'high' | 'low' | 'close') => Float64Array.from(bars, (bar) => bar[name] / tick);
  return {
    time: Float64Array.from(bars, (bar) => bar.openTimeMs),
    open: price('open'),
    high: price('high'),
    low: price('low'),
    close: price('close'),
    volume: Float64Array.from(bars, (bar) => bar.lots / 10 ** listing.quantityDecimals),
  };
}

const newest = (symbol: string, interval: Interval, count: number, atMs: number): Candles => {
  const toMs = lastClosedOpen(interval, atMs);
  return candlesIn(symbol, interval, toMs - (count - 1) * intervalMs[interval], toMs);
};

const symbolOf = (symbol: string): FuturesSymbol => ({
  symbol,
  base: symbol.replace(/USDT$/, ''),
  tickSize: 0.0001,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 50,
  maxQuantity: null,
  listedAtMs: seeded.listedAtMs(listings.get(symbol)!),
  status: 'trading',
  fundingHours: 8,
});

const marketAt = (now: () => number): ReplayDeps['market'] => ({
  symbols: () =>
    Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: now(), value: names.map(symbolOf), leftOut: {} as never })),
  candles: ({ symbol, interval, limit, endTimeMs = now() }: CandleRequest) => {
    const candles = newest(symbol, interval, limit, endTimeMs);
    return Promise.resolve(
      ok({ exchange: 'binance', fetchedAtMs: endTimeMs, value: { candles, gaps: [], rejectedCount: 0 } }),
    );
  },
});

interface LiveSignal extends Bet {
  chance: number | null;
  expectedPct: number | null;
  isWon: boolean;
}

let test: TestApp;
let signals: LiveSignal[];
let replayedCount = 0;

const rules = rulesOf(neutralTuning);
const sizing = signalSizing(standardSizing);

/** What a scan at a moment finds on one interval, with the outcomes by the rule of the record. */
async function scanAt(interval: Interval, atMs: number, bases: ReturnType<typeof createConfidenceBases>) {
  const longer = signalIntervals.filter((each) => intervalMs[each] >= intervalMs[interval]);
  const items = names.map((symbol) => ({
    symbol,
    exchange: 'binance' as const,
    timeframes: timeframesOf(
      longer.map((each) => ({
        interval: each,
        stepMs: intervalMs[each],
        candles: newest(symbol, each, liveSignalCandles(intervalMs[each]), atMs),
      })),
    ),
  }));
  const run = await test.deps.engine.run('signals', { items, rules, sizing });
  if (!run.ok) throw new Error(run.error.message);
  return run.value.rows.flatMap((row, k): LiveSignal[] => {
    const symbol = names[k]!;
    if (!row.signal.ok) return [];
    const { direction, rawConfidence, price, levels, horizonMinutes } = row.signal.value.ensemble;
    if (direction === 'NEUTRAL' || levels === null || horizonMinutes === null) return [];
    const { stopLossPrice: stopLoss, takeProfitPrice: takeProfit } = levels;
    const stated = stateConfidence(
      { direction, rawConfidence, price, stopLoss, takeProfit, sizeUsdt: 500 },
      bases.of(interval),
    );
    const live = { direction, stopLoss, takeProfit, horizonMinutes, issuedAtMs: atMs };
    const deadlineMs = deadlineOf(live);
    const basis = finestFor(deadlineMs - atMs);
    const after = candlesIn(symbol, basis, atMs, deadlineMs + intervalMs[basis]);
    const outcome = resolveSignal(live, after, intervalMs[basis]);
    if (outcome === null) throw new Error(`${symbol} has no outcome`);
    return [
      {
        id: `${symbol} ${interval} ${atMs}`,
        symbol,
        direction,
        closeAtMs: atMs,
        exitAtMs: outcome.exitAtMs,
        chance: stated.chance,
        expectedPct: stated.expected_net_pct,
        isWon: outcome.netFraction > 0,
        horizonMinutes,
      },
    ];
  });
}

beforeAll(async () => {
  test = await createTestApp();
  const { db, engine } = test.deps;
  const config = { market: 'simulated' as const };
  const assertLeader = () => Promise.resolve();
  const history = {
    readListings: () => Promise.resolve(ok([])),
    readUniverseDays: () => Promise.resolve(ok([])),
    readClosedCandles: () => Promise.resolve(reject('database_unavailable')),
  };
  let nowMs = startMs;
  const deps = {
    db,
    config,
    market: marketAt(() => nowMs),
    history,
    engine,
    assertLeader,
    now: () => nowMs,
    pauseMs: 0,
  };
  let bases = createConfidenceBases(db, 'simulated');
  signals = [];
  for (let k = 0; k < MOMENTS; k++) {
    nowMs = startMs + k * STEP_MS;
    if (k % MOMENTS_PER_REPLAY === 0) {
      await replayRecord(deps);
      bases = createConfidenceBases(db, 'simulated');
      await bases.refresh();
      replayedCount = signalIntervals.reduce((sum, each) => sum + (bases.of(each).replayed?.outcome_count ?? 0), 0);
    }
    for (const interval of signalIntervals) {
      // The close of a candle of the interval.
      const atMs = Math.ceil(nowMs / intervalMs[interval]) * intervalMs[interval];
      signals.push(...(await scanAt(interval, atMs, bases)));
    }
  }
}, 1_800_000);
afterAll(() => test.close());

describe('chances from a replay, on the market that follows', () => {
  it('HIST-070 gives every signal of a later scan a chance and an expected result', () => {
    expect(replayedCount).toBeGreaterThan(numberSettings.max_symbols.default);
    expect(signals.length).toBeGreaterThanOrEqual(isFull ? 2000 : 150);
    for (const { chance, expectedPct } of signals) {
      expect(chance).toBeGreaterThan(0);
      expect(chance).toBeLessThan(1);
      expect(Number.isFinite(expectedPct)).toBe(true);
    }
  });

  // The signals of one moment share the moves of the market: few moments prove little, so the share of `npm test` has a wider bound.
  it('HIST-070 states chances that later outcomes confirm', () => {
    const clusters = clustersOf(signals);
    const judged = calibrate(
      signals.map(({ chance, isWon }, i) => ({ confidence: chance!, isWon, cluster: clusters[i]! })),
    );
    const figures = `${judged.count} signals: error ${judged.ece}, Brier ${judged.brier}, of the base rate ${judged.brierOfBaseRate}`;
    expect(judged.ece, figures).toBeLessThanOrEqual(isFull ? 0.03 : 0.1);
  });
});
