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
  const signal = (id: string, symbol: string, netFraction: number): RecordedSignal => ({
    id,
    symbol,
    direction: 'LONG',
    closeAtMs: 0,
    issuedAtMs: 0,
    horizonMinutes: 30,
    rawConfidence: 0.5,
    isCalibrated: false,
    chance: null,
    confidence: 0.5,
    result: { outcome: netFraction > 0 ? 'TP' : 'SL', netFraction, isAmbiguous: false, exitAtMs: 60_000 },
  });

  it('is as wide as that of the independent bets: four copies of one win and one loss are two trials, not five', () => {
    const copies = ['a', 'b', 'c', 'd'].map((id) => signal(id, 'AUSDT', 0.04));
    const record = summarise([...copies, signal('e', 'BUSDT', -0.02)]);
    // Sizes 4 and 1: 25 / 17 = 1.470588... independent opinions with a share of 0.8.
    const n = 25 / 17;
    const z2 = 1.959963984540054 ** 2;
    const centre = (0.8 + z2 / (2 * n)) / (1 + z2 / n);
    const half = Math.sqrt(z2 * ((0.8 * 0.2) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    expect(record.hit_rate).toBe(0.8);
    expect(record.independent_count).toBeCloseTo(n, 12);
    expect(record.hit_rate_interval?.low).toBeCloseTo(centre - half, 12);
    expect(record.hit_rate_interval?.high).toBeCloseTo(Math.min(1, centre + half), 12);
    const naive = wilson(4, 5)!;
    expect(record.hit_rate_interval!.low).toBeLessThan(naive.low - 0.1);
    // The bin that holds all of them has the same interval.
    expect(record.calibration.bins[5]?.interval).toEqual(record.hit_rate_interval);
  });

  it('of unrelated signals is the plain one', () => {
    const record = summarise([signal('a', 'AUSDT', 0.04), signal('b', 'BUSDT', -0.02), signal('c', 'CUSDT', 0.04)]);
    expect(record).toMatchObject({ independent_count: 3, hit_rate_interval: wilson(2, 3) });
  });
});
