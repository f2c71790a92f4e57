import { readFile } from 'node:fs/promises';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { buildEngine } from '@sextant/engine-as/build.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calibrated,
  EVIDENCE_MIN,
  expectedFraction,
  fitCalibration,
  type PastBet,
  poolViolators,
} from '../../src/signals/calibration.ts';
import { compileEngine } from '../../src/engine/engine.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

const AS_OF = 1_000_000;

/** Bets with raw confidences spread over 0..1, or as `scores` says; each gains with the chance that `truth` gives it. */
function ledger(
  count: number,
  truth: (raw: number) => number,
  seed = 11,
  scores: (share: number) => number = (share) => share,
): PastBet[] {
  const uniform = generator(seed);
  return Array.from({ length: count }, (_, i) => {
    const rawConfidence = scores(uniform());
    const isWon = uniform() < truth(rawConfidence);
    return { rawConfidence, isWon, netStops: isWon ? 1.9 : -1.1, knownAtMs: i };
  });
}

/** Expected distance of the map from the truth over the distribution of the scores. */
function errorOf(
  bets: readonly PastBet[],
  truth: (raw: number) => number,
  scores: (share: number) => number = (share) => share,
): number {
  const { points } = fitCalibration(bets, AS_OF);
  const raws = Array.from({ length: 200 }, (_, i) => scores((i + 0.5) / 200));
  return raws.reduce((sum, raw) => sum + Math.abs(calibrated(raw, points) - truth(raw)), 0) / raws.length;
}

/** Weighted isotonic regression by its definition: the largest of the smallest means over all stretches around a place. */
const slowIsotonic = (groups: readonly { chance: number; weight: number }[]): number[] =>
  groups.map((_, i) => {
    const meanOf = (a: number, b: number): number => {
      const part = groups.slice(a, b + 1);
      const weight = part.reduce((sum, each) => sum + each.weight, 0);
      return part.reduce((sum, each) => sum + each.chance * each.weight, 0) / weight;
    };
    const starts = Array.from({ length: i + 1 }, (_, a) => a);
    const ends = Array.from({ length: groups.length - i }, (_, b) => i + b);
    return Math.max(...starts.map((a) => Math.min(...ends.map((b) => meanOf(a, b)))));
  });

describe('the calibration of confidence', () => {
  it('X75 says nothing before there is evidence: no points, so the raw value stands', () => {
    const bets = ledger(EVIDENCE_MIN - 1, () => 0.4);
    const { points, count, baseRate } = fitCalibration(bets, AS_OF);
    expect(points).toEqual([]);
    expect(count).toBe(EVIDENCE_MIN - 1);
    expect(baseRate).toBeGreaterThan(0);
    expect(calibrated(0.57, points)).toBe(0.57);
    expect(fitCalibration([], AS_OF)).toEqual({
      count: 0,
      baseRate: null,
      points: [],
      meanWinStops: null,
      meanLossStops: null,
    });
  });

  it('solves the equations of the likeliest curve whose slope is worth 50 outcomes less, and no other', () => {
    // Raw 0.2 wins 20 of 100, raw 0.6 wins 50 of 100: the base rate is 70.5 / 201, and the scores are -1 and 1 in their own deviations.
    const bets = [0.2, 0.6].flatMap((rawConfidence, group) =>
      Array.from({ length: 100 }, (_, i): PastBet => {
        const isWon = i < (group === 0 ? 20 : 50);
        return { rawConfidence, isWon, netStops: isWon ? 2 : -1, knownAtMs: 0 };
      }),
    );
    const { points, baseRate, meanWinStops, meanLossStops } = fitCalibration(bets, AS_OF);
    expect(baseRate).toBeCloseTo(70.5 / 201, 12);
    expect(points.map(({ raw }) => raw)).toEqual([0.2, 0.6]);
    const [low, high] = points.map(({ chance }) => chance) as [number, number];
    const logit = (chance: number): number => Math.log(chance / (1 - chance));
    const [intercept, slope] = [(logit(low) + logit(high)) / 2, (logit(high) - logit(low)) / 2];
    // Intercept: as many wins as expected, with half a win of one outcome at the middle. Slope: its likelihood against its prior.
    expect(100 * low + 100 * high + 1 / (1 + Math.exp(-intercept))).toBeCloseTo(70.5, 6);
    const p = 70.5 / 201;
    expect(50 - 100 * high - (20 - 100 * low)).toBeCloseTo(50 * p * (1 - p) * slope, 6);
    // Between 0.2 and 0.5, the shares that won.
    expect(low).toBeGreaterThan(0.2);
    expect(high).toBeLessThan(0.5);
    // Half way between the groups: the mean of both. Beyond them: the nearest.
    expect(calibrated(0.4, points)).toBeCloseTo((low + high) / 2, 12);
    expect(calibrated(0.05, points)).toBe(low);
    expect(calibrated(0.99, points)).toBe(high);
    // Expected: stop 2 % away, chance 0.4: 0.02 x (0.4 x 2 - 0.6 x 1) = 0.004; chance 0.3 loses 0.002.
    expect(expectedFraction(0.4, 0.02, { meanWinStops, meanLossStops })).toBeCloseTo(0.004, 12);
    expect(expectedFraction(0.3, 0.02, { meanWinStops, meanLossStops })).toBeCloseTo(-0.002, 12);
    expect(expectedFraction(0.3, 0.02, { meanWinStops: 2, meanLossStops: null })).toBeNull();
  });

  // The mean of 20 ledgers of 2,000 outcomes, over the scores that signals have: no bins, the truth is known.
  const uniformScores = (share: number): number => share;
  /** Scores from 0.15 on, most of them small, as scans give them. */
  const scanScores = (share: number): number => 1 - (0.92 - 0.5 * share ** 2) ** 2;
  it.each([
    ['the chance itself', uniformScores, (raw: number) => raw, 0.03],
    ['the chance itself, of the scores of scans', scanScores, (raw: number) => raw, 0.03],
    ['a chance that is compressed', scanScores, (raw: number) => 0.2 + 0.25 * raw, 0.03],
    ['too timid: the chance is S-shaped', uniformScores, (raw: number) => 1 / (1 + Math.exp(-12 * (raw - 0.5))), 0.03],
    ['without information', uniformScores, () => 0.335, 0.03],
    ['right up to a kink', scanScores, (raw: number) => Math.min(raw, 0.45), 0.04],
  ])('states the chance within 0.03 after 2,000 outcomes when the score is %s', (_, scores, truth, most) => {
    const errors = Array.from({ length: 20 }, (__, seed) =>
      errorOf(ledger(2000, truth, 90_001 + seed, scores), truth, scores),
    );
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(most);
  });

  it('states the base rate for every score when a higher score gains less often', () => {
    for (const seed of [4, 5, 6]) {
      const { points, baseRate } = fitCalibration(
        ledger(2000, (raw) => 1 - raw, seed),
        AS_OF,
      );
      for (const raw of [0.05, 0.5, 0.95]) expect(Math.abs(calibrated(raw, points) - baseRate!)).toBeLessThan(0.01);
    }
  });

  it.each([
    ['calibrated', (raw: number) => raw],
    ['over-confident', (raw: number) => 0.2 + 0.25 * raw],
    ['over-confident at the top only', (raw: number) => Math.min(raw, 0.45)],
    ['empty of information', () => 0.335],
  ])('recovers a ledger that is %s, and the closer the more outcomes there are', (_, truth) => {
    const sizes = [400, 4000, 40_000].map((count) => errorOf(ledger(count, truth), truth));
    expect(sizes[2]).toBeLessThan(0.02);
    expect(sizes[1]).toBeLessThan(0.07);
    expect(sizes[2]!).toBeLessThan(sizes[0]!);
  });

  it('is not changed by an outcome that was known later than its moment', () => {
    const uniform = generator(3);
    const past = ledger(3000, (raw) => 0.2 + 0.3 * raw);
    const later = ledger(3000, (raw) => 1 - raw, 5).map((bet) => ({ ...bet, knownAtMs: AS_OF + 1 }));
    const mixed = [...past, ...later].sort(() => uniform() - 0.5);
    expect(fitCalibration(mixed, AS_OF).points).toEqual(fitCalibration(past, AS_OF).points);
    // They are a leak when they are known: the same moment one millisecond later.
    expect(fitCalibration(mixed, AS_OF + 1).points).not.toEqual(fitCalibration(past, AS_OF + 1).points);
  });

  it('lies nearer to the base rate the fewer outcomes there are', () => {
    const spreadOf = (count: number): number => {
      const { points } = fitCalibration(
        ledger(count, (raw) => raw),
        AS_OF,
      );
      return points.at(-1)!.chance - points[0]!.chance;
    };
    const spreads = [150, 400, 2000, 20_000].map(spreadOf);
    expect(spreads[0]).toBeLessThan(0.9 * spreads[3]!);
    expect(spreads).toEqual(spreads.toSorted((a, b) => a - b));
  });

  it('rises with the score and stays within 0 and 1, whatever the ledger', () => {
    const bet = fc.record({
      rawConfidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.1, 0.5, 1)),
      isWon: fc.boolean(),
      netStops: fc.double({ min: -5, max: 5, noNaN: true }),
      knownAtMs: fc.constant(0),
    });
    fc.assert(
      fc.property(
        fc.array(bet, { minLength: 100, maxLength: 900, size: 'max' }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }),
        (bets, raws) => {
          const { points } = fitCalibration(bets, AS_OF);
          const stated = raws.toSorted((a, b) => a - b).map((raw) => calibrated(raw, points));
          for (const [i, chance] of stated.entries()) {
            expect(chance >= 0 && chance <= 1).toBe(true);
            if (i > 0) expect(chance).toBeGreaterThanOrEqual(stated[i - 1]! - 1e-15);
          }
          for (const [i, { raw, chance }] of points.entries()) {
            if (i === 0) continue;
            expect(raw).toBeGreaterThan(points[i - 1]!.raw);
            expect(chance).toBeGreaterThanOrEqual(points[i - 1]!.chance);
          }
        },
      ),
      { numRuns: 60, seed: 75 },
    );
  });

  it('pools as the definition of isotonic regression says', () => {
    const group = fc.record({
      raw: fc.constant(0),
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 20 }), (groups) => {
        const fast = poolViolators(groups).map(({ chance }) => chance);
        for (const [i, chance] of slowIsotonic(groups).entries()) expect(fast[i]).toBeCloseTo(chance, 10);
      }),
      { numRuns: 300, seed: 75 },
    );
  });

  it('is applied as in the engine, to the bit', async () => {
    const { path } = await buildEngine();
    const engine = startEngine(await compileEngine(new Uint8Array(await readFile(path))));
    const { points } = fitCalibration(
      ledger(5000, (raw) => 0.2 + 0.3 * raw),
      AS_OF,
    );
    const map = points.map(({ raw, chance }): [number, number] => [raw, chance]);
    for (let seed = 1; seed <= 20; seed++) {
      const timeframes = [{ interval: '1h', stepMs: 3_600_000, candles: walk(700, seed), weight: 1 }];
      const levels = { mode: 'atr', stopAtr: 2, targetAtr: 4, stopFraction: 0.02, targetFraction: 0.04 } as const;
      const input = { timeframes, weights: liveWeights, threshold: 0.08, levels, calibration: map };
      const result = runTask(engine, { name: 'ensemble', input });
      if (!result.ok) throw new Error(result.error.message);
      const { rawConfidence, confidence } = result.value as { rawConfidence: number; confidence: number };
      expect(calibrated(rawConfidence, points)).toBe(confidence);
    }
  });
});

function walk(count: number, seed: number): Candles {
  const uniform = generator(seed);
  const columns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
  const candles = Object.fromEntries(columns.map((name) => [name, new Float64Array(count)])) as unknown as Candles;
  let price = 100;
  for (let i = 0; i < count; i++) {
    const close = price * (1 + (uniform() - 0.5) * 0.02);
    candles.time[i] = i * 3_600_000;
    candles.open[i] = price;
    candles.close[i] = close;
    candles.high[i] = Math.max(price, close) * 1.001;
    candles.low[i] = Math.min(price, close) * 0.999;
    candles.volume[i] = 1 + uniform() * 100;
    price = close;
  }
  return candles;
}
