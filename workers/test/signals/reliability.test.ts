import fc from 'fast-check';
import { wilson } from '@sextant/workers/src/core/wilson.ts';
import { describe, expect, it } from 'vitest';
import { calibrate, type Forecast } from '../../src/signals/reliability.ts';

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

/** Confidences spread over 0..1; each comes true with the chance that `truth` gives for it. */
function forecasts(count: number, truth: (confidence: number) => number, seed = 7): Forecast[] {
  const uniform = generator(seed);
  return Array.from({ length: count }, () => {
    const confidence = uniform();
    return { confidence, isWon: uniform() < truth(confidence) };
  });
}

describe('calibration', () => {
  it('of a calibrated forecaster has an error near zero, and every bin holds its diagonal', () => {
    const { ece, brier, bins } = calibrate(forecasts(40_000, (confidence) => confidence));
    expect(ece).toBeLessThan(0.01);
    // The Brier score of a calibrated forecaster with uniform confidences is the integral of p(1 - p): 1/6.
    expect(brier).toBeCloseTo(1 / 6, 2);
    const covered = bins.filter(
      ({ interval, meanConfidence }) => interval!.low <= meanConfidence! && meanConfidence! <= interval!.high,
    );
    expect(covered.length).toBeGreaterThanOrEqual(8);
  });

  it('of a forecaster that states twice the true chance has the expected error: the mean of half its confidence', () => {
    const { ece, brier, brierOfBaseRate } = calibrate(forecasts(40_000, (confidence) => confidence / 2));
    // |c/2 - c| averaged over 0..1 is 1/4; the Brier score is 1/4 - 1/3 * (1 - 1/2) ... worked out: E[c^2 - c^2 + c/2] = 1/4.
    expect(ece).toBeCloseTo(0.25, 2);
    expect(brier).toBeCloseTo(0.25, 2);
    // Always stating the base rate of 1/4 would score 3/16: better than this forecaster.
    expect(brierOfBaseRate).toBeCloseTo(3 / 16, 2);
    expect(brier).toBeGreaterThan(brierOfBaseRate!);
  });

  it('of hand-worked forecasts matches the manual result', () => {
    const given: Forecast[] = [
      { confidence: 0.15, isWon: false },
      { confidence: 0.15, isWon: true },
      { confidence: 0.95, isWon: true },
      { confidence: 1, isWon: true },
    ];
    const { count, brier, ece, bins, brierOfBaseRate } = calibrate(given);
    expect(count).toBe(4);
    expect(brier).toBeCloseTo((0.0225 + 0.7225 + 0.0025 + 0) / 4, 12);
    expect(brierOfBaseRate).toBeCloseTo(0.75 * 0.25, 12);
    // Bin 1: two at 0.15, half won: 0.35. Bin 9: two at 0.975, all won: 0.025.
    expect(ece).toBeCloseTo(0.5 * 0.35 + 0.5 * 0.025, 12);
    expect(bins[1]).toMatchObject({ count: 2, wonCount: 1, winRate: 0.5 });
    expect(bins[9]).toMatchObject({ count: 2, wonCount: 2, winRate: 1, to: 1 });
    expect(bins[5]).toMatchObject({ count: 0, winRate: null, interval: null });
  });

  it('of no forecasts is null, not zero', () => {
    expect(calibrate([])).toMatchObject({ count: 0, brier: null, ece: null, brierOfBaseRate: null });
  });

  it('puts every forecast into exactly one bin', () => {
    const any = fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), isWon: fc.boolean() });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 200, size: 'max' }), (given) => {
        const { bins, brier, ece } = calibrate(given);
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(given.length);
        for (const figure of [brier, ece]) if (figure !== null) expect(figure >= 0 && figure <= 1).toBe(true);
      }),
    );
  });
});

describe("Wilson's interval", () => {
  it('has the values published for 95 %', () => {
    // Newcombe (1998), Statistics in Medicine 17:857, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const published: [number, number, number, number][] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ];
    for (const [won, count, low, high] of published) {
      const result = wilson(won, count)!;
      expect(result.low).toBeCloseTo(low, 4);
      expect(result.high).toBeCloseTo(high, 4);
    }
  });
});
