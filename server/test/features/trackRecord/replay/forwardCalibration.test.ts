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
import { createSeededMarket, type Market as SeededMarket } from '../../../../fakes/exchanges/market/seededMarket.ts';
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

/** Simulated markets and the first moment of each. `npm test` runs the first, `npm run test:statistics` all. */
const spans = [
  { seed: 7, startMs: Date.UTC(2025, 2, 3, 5) },
  { seed: 7, startMs: Date.UTC(2023, 5, 12, 5) },
  { seed: 11, startMs: Date.UTC(2024, 0, 8, 5) },
  { seed: 20_220_101, startMs: Date.UTC(2026, 0, 5, 5) },
].map((span) => ({ ...span, title: `seed ${span.seed} from ${new Date(span.startMs).toISOString().slice(0, 10)}` }));
type Span = (typeof spans)[number];

const listings = new Map(
  instruments.flatMap((instrument) => {
    const listing = listingOf('binance', instrument);
    return listing === undefined ? [] : [[listing.id, listing] as const];
  }),
);
const names = [...listings.keys()].slice(0, SYMBOLS);

/** Closed candles of a simulated market whose opens are within `[fromMs, toMs]`. */
function candlesIn(
  seeded: SeededMarket,
  symbol: string,
  interval: Interval,
  [fromMs, toMs]: [number, number],
): Candles {
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

function newest(seeded: SeededMarket, symbol: string, interval: Interval, count: number, atMs: number): Candles {
  const toMs = lastClosedOpen(interval, atMs);
  return candlesIn(seeded, symbol, interval, [toMs - (count - 1) * intervalMs[interval], toMs]);
}

const symbolOf = (seeded: SeededMarket, symbol: string): FuturesSymbol => ({
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

const marketAt = (seeded: SeededMarket, now: () => number): ReplayDeps['market'] => ({
  symbols: () => {
    const value = names.map((name) => symbolOf(seeded, name));
    return Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: now(), value, leftOut: {} as never }));
  },
  candles: ({ symbol, interval, limit, endTimeMs = now() }: CandleRequest) => {
    const candles = newest(seeded, symbol, interval, limit, endTimeMs);
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

interface Scanner {
  seeded: SeededMarket;
  engine: TestApp['deps']['engine'];
}

const rules = rulesOf(neutralTuning);
const sizing = signalSizing(standardSizing);

/** What a scan at a moment finds on one interval, with the outcomes by the rule of the record. */
async function scanAt(
  { seeded, engine }: Scanner,
  interval: Interval,
  atMs: number,
  bases: ReturnType<typeof createConfidenceBases>,
): Promise<LiveSignal[]> {
  const longer = signalIntervals.filter((each) => intervalMs[each] >= intervalMs[interval]);
  const items = names.map((symbol) => ({
    symbol,
    exchange: 'binance' as const,
    timeframes: timeframesOf(
      longer.map((each) => ({
        interval: each,
        stepMs: intervalMs[each],
        candles: newest(seeded, symbol, each, liveSignalCandles(intervalMs[each]), atMs),
      })),
    ),
  }));
  const run = await engine.run('signals', { items, rules, sizing });
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
    const after = candlesIn(seeded, symbol, basis, [atMs, deadlineMs + intervalMs[basis]]);
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

/** Scans the moments of a span, with a replay now and then. @returns its signals, and the outcomes of its first replay */
async function runForward({ seed, startMs }: Span, { deps: { db, engine } }: TestApp) {
  const seeded = createSeededMarket(seed);
  const config = { market: 'simulated' as const };
  const assertLeader = () => Promise.resolve();
  const history = {
    readListings: () => Promise.resolve(ok([])),
    readUniverseDays: () => Promise.resolve(ok([])),
    readClosedCandles: () => Promise.resolve(reject('database_unavailable')),
  };
  let nowMs = startMs;
  const now = () => nowMs;
  const deps = { db, config, market: marketAt(seeded, now), history, engine, assertLeader, now, pauseMs: 0 };
  let bases = createConfidenceBases(db, 'simulated');
  const signals: LiveSignal[] = [];
  let replayedCount = 0;
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
      signals.push(...(await scanAt({ seeded, engine }, interval, atMs, bases)));
    }
  }
  return { signals, replayedCount };
}

describe.each(isFull ? spans : spans.slice(0, 1))(
  'chances from a replay, on the market that follows: $title',
  (span) => {
    let test: TestApp;
    let forward: Awaited<ReturnType<typeof runForward>>;
    beforeAll(async () => {
      test = await createTestApp();
      forward = await runForward(span, test);
    }, 7_200_000);
    afterAll(() => test.close());

    it('HIST-070 gives every signal of a later scan a chance and an expected result', () => {
      expect(forward.replayedCount).toBeGreaterThan(numberSettings.max_symbols.default);
      expect(forward.signals.length).toBeGreaterThanOrEqual(isFull ? 2000 : 150);
      for (const { chance, expectedPct } of forward.signals) {
        expect(chance).toBeGreaterThan(0);
        expect(chance).toBeLessThan(1);
        expect(Number.isFinite(expectedPct)).toBe(true);
      }
    });

    // The signals of one moment share the moves of the market: few moments prove little, so the share of `npm test` has a wider bound.
    it('HIST-070 states chances that later outcomes confirm', () => {
      const clusters = clustersOf(forward.signals);
      const judged = calibrate(
        forward.signals.map(({ chance, isWon }, i) => ({ confidence: chance!, isWon, cluster: clusters[i]! })),
      );
      const figures = `${judged.count} signals: error ${judged.ece}, Brier ${judged.brier}, of the base rate ${judged.brierOfBaseRate}`;
      if (isFull) process.stdout.write(`${span.title}: ${figures}\n`);
      expect(judged.ece, figures).toBeLessThanOrEqual(isFull ? 0.03 : 0.1);
    });
  },
);
