import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from '@sextant/workers/src/core/wilson.ts';
import { type Bet, clustersOf, effectiveCount, firstOfEach } from '@sextant/workers/src/signals/clusters.ts';
import { type RecordedSignal, summarise } from '../../../src/features/trackRecord/performance.ts';

const bet = (id: string, closeAtMs: number, exitAtMs: number, more: Partial<Bet> = {}): Bet => ({
  id,
  symbol: 'BTCUSDT',
  direction: 'LONG',
  closeAtMs,
  exitAtMs,
  horizonMinutes: 30,
  ...more,
});

describe('near-identical signals', () => {
  it('are those of one symbol and direction that start while the first of them is open', () => {
    const bets = [
      bet('a', 0, 10),
      bet('b', 5, 30),
      bet('c', 10, 12),
      // The first of its bet (a) is over, though b is still open: another bet.
      bet('d', 11, 40),
      bet('e', 5, 10, { direction: 'SHORT' }),
      bet('f', 5, 10, { symbol: 'ETHUSDT' }),
    ];
    expect(clustersOf(bets)).toEqual([0, 0, 0, 3, 4, 5]);
    expect(firstOfEach(bets).map(({ id }) => id)).toEqual(['a', 'd', 'e', 'f']);
  });

  it('of one moment are led by the longest horizon, not by their outcome', () => {
    const bets = [bet('15m', 0, 5), bet('4h', 0, 50, { horizonMinutes: 900 }), bet('1h', 20, 30)];
    expect(clustersOf(bets)).toEqual([1, 1, 1]);
  });

  it('do not depend on the order they are read in, and each belongs to a first one that leads itself', () => {
    const anyBet = fc.record({
      id: fc.uuid(),
      symbol: fc.constantFrom('A', 'B'),
      direction: fc.constantFrom('LONG', 'SHORT'),
      closeAtMs: fc.integer({ min: 0, max: 50 }),
      length: fc.integer({ min: 0, max: 20 }),
      horizonMinutes: fc.constantFrom(30, 60),
    });
    fc.assert(
      fc.property(fc.uniqueArray(anyBet, { selector: ({ id }) => id, maxLength: 40 }), (given) => {
        const bets = given.map(({ length, ...each }) => ({ ...each, exitAtMs: each.closeAtMs + length }));
        const clusters = clustersOf(bets);
        for (const cluster of clusters) expect(clusters[cluster]).toBe(cluster);
        const idsOf = (list: readonly Bet[]) => firstOfEach(list).map(({ id }) => id);
        expect(idsOf(bets.toReversed()).sort()).toEqual(idsOf(bets).sort());
        const count = effectiveCount(clusters);
        expect(count).toBeGreaterThanOrEqual(Math.min(1, bets.length));
        expect(count).toBeLessThanOrEqual(new Set(clusters).size + 1e-9);
      }),
    );
  });

  it('count as one opinion: sizes 3, 1 and 1 amount to 25 / 11 by hand', () => {
    expect(effectiveCount([0, 0, 0, 3, 4])).toBeCloseTo(25 / 11, 12);
    expect(effectiveCount([0, 1, 2])).toBe(3);
    expect(effectiveCount([7, 7, 7, 7])).toBe(1);
    expect(effectiveCount([])).toBe(0);
  });
});

describe('the interval of a hit rate', () => {
  const dayMs = 86_400_000;
  const signal = (id: string, day: number, netFraction: number): RecordedSignal => ({
    id,
    symbol: `${id}USDT`,
    direction: 'LONG',
    closeAtMs: day * dayMs,
    issuedAtMs: day * dayMs,
    horizonMinutes: 30,
    rawConfidence: 0.5,
    isCalibrated: false,
    chance: null,
    confidence: 0.5,
    result: { outcome: netFraction > 0 ? 'TP' : 'SL', netFraction, isAmbiguous: false, exitAtMs: day * dayMs + 60_000 },
  });

  it('HIST-158 is that of one trial while all signals are open at the same time, whatever their symbols', () => {
    const given = ['A', 'B', 'C', 'D'].map((id) => signal(id, 0, 0.04));
    const record = summarise([...given, signal('E', 0, -0.02)]);
    expect(record).toMatchObject({ hit_rate: 0.8, independent_count: 5, hit_rate_interval: wilson(4, 5, 1) });
    // The bin that holds all of them has the same interval.
    expect(record.calibration.bins[5]?.interval).toEqual(record.hit_rate_interval);
  });

  it('HIST-158 is that of the days on which signals of several symbols gain and lose together, worked out by hand', () => {
    // Ten days of four signals, which all gain on even days: a half, each day an error of 2 of 40. Variance 10/9 x 10 x 4 / 1600 = 1/36.
    const given = Array.from({ length: 40 }, (_, i) => signal(`S${i}`, Math.floor(i / 4), i % 8 < 4 ? 0.04 : -0.02));
    // 0.25 x 36 = 9 trials, with Student's 2.262 of nine degrees in place of 1.96.
    const expected = wilson(20, 40, 9 * (1.959964 / 2.262) ** 2)!;
    const { hit_rate_interval: interval, calibration } = summarise(given);
    expect(Math.abs(interval!.low - expected.low)).toBeLessThan(1e-3);
    expect(Math.abs(interval!.high - expected.high)).toBeLessThan(1e-3);
    expect(calibration.bins[5]?.interval).toEqual(interval);
    expect(interval!.low).toBeLessThan(wilson(20, 40)!.low - 0.1);
  });
});
