import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadEngine } from '../support.ts';
import { testNormal } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

type Figures = Parameters<Engine['raw']['deflatedSharpe']>;

describe('luck ceiling', () => {
  it.each([
    [10, 1.5746],
    [50, 2.2763],
    [1000, 3.2551],
    [5000, 3.6877],
  ])('follows the published approximation for %i trials', (trials, sigmas) => {
    expect(engine.raw.expectedMaximum(trials)).toBeCloseTo(sigmas, 4);
  });

  it.each([
    [2, 1 / Math.sqrt(Math.PI)],
    [3, 1.5 / Math.sqrt(Math.PI)],
    // Tippett (1925), mean of the largest of N normals.
    [10, 1.53875],
    [50, 2.24907],
    [100, 2.50759],
    [1000, 3.24144],
  ])('has the exact expectation for %i trials', (trials, sigmas) => {
    expect(engine.raw.expectedMaximumExact(trials)).toBeCloseTo(sigmas, 5);
  });

  it('is where the mean best of 50 noise trials lies', () => {
    const normal = testNormal(11);
    let sum = 0;
    for (let run = 0; run < 20_000; run++) {
      let best = -Infinity;
      for (let trial = 0; trial < 50; trial++) best = Math.max(best, normal());
      sum += best;
    }
    // The best of 50 has deviation 0.47, so this mean has a standard error of 0.0033.
    expect(Math.abs(sum / 20_000 - engine.raw.expectedMaximumExact(50))).toBeLessThan(0.014);
  });

  it('is not reached by 95 % of best trials at the 95 % level', () => {
    // P(max of N < x) = cdf(x)^N.
    for (const trials of [1, 10, 50, 1000, 1e6]) {
      expect(engine.raw.normalCdf(engine.raw.maximumQuantile(trials, 0.95)) ** trials).toBeCloseTo(0.95, 9);
    }
  });

  it('rises with every further trial', () => {
    for (let trials = 1; trials < 2000; trials++) {
      expect(engine.raw.expectedMaximum(trials + 1)).toBeGreaterThan(engine.raw.expectedMaximum(trials));
    }
  });

  it('says that the best of 50 at an annual Sharpe of 3 needs about 210 days, at 1 about 5.2 years', () => {
    expect(engine.raw.minimumBacktestYears(50, 3) * 365).toBeCloseTo(210.1, 1);
    expect(engine.raw.minimumBacktestYears(50, 1)).toBeCloseTo(5.18, 2);
  });
});

describe('deflated and probabilistic Sharpe', () => {
  it('reproduce the published example: 100 trials, annual Sharpe 2.5 over 1,250 days, skewness -3, kurtosis 10', () => {
    const variance = 1 / 2 / 250;
    expect(engine.raw.deflatedBenchmark(100, variance)).toBeCloseTo(0.1132, 4);
    expect(engine.raw.deflatedSharpe(2.5 / Math.sqrt(250), 1250, -3, 10, 100, variance)).toBeCloseTo(0.9004, 4);
  });

  it.each([
    ['daily', 252, 2.73],
    ['weekly', 52, 2.83],
    ['monthly', 12, 3.24],
  ])('need the published track record with %s normal returns: Sharpe 2 above 1 at 95 %', (_, perYear, years) => {
    const unit = Math.sqrt(perYear);
    expect(engine.raw.minimumTrackRecord(2 / unit, 1 / unit, 0, 3, 0.95) / perYear).toBeCloseTo(years, 2);
  });

  it('turn the track record around: after exactly that many observations the probability is the confidence', () => {
    for (const [sharpe, benchmark, skewness, kurtosis] of [
      [0.1, 0, 0, 3],
      [0.2, 0.05, -2, 12],
      [0.05, 0.01, 1, 4],
    ] as const) {
      const count = engine.raw.minimumTrackRecord(sharpe, benchmark, skewness, kurtosis, 0.9);
      expect(engine.raw.probabilisticSharpe(sharpe, benchmark, count, skewness, kurtosis)).toBeCloseTo(0.9, 12);
    }
  });

  it('have the standard error worked out by hand', () => {
    // SR 0.2, 101 observations, skewness -1, kurtosis 5: sqrt((1 + 0.2 + 0.04) / 100).
    expect(engine.raw.sharpeStandardError(0.2, 101, -1, 5)).toBeCloseTo(Math.sqrt(1.24 / 100), 15);
  });

  it('fall with more trials, with fatter losses and with fewer observations', () => {
    const deflatedSharpe = (...figures: Figures): number => engine.raw.deflatedSharpe(...figures);
    const base = deflatedSharpe(0.15, 500, 0, 3, 50, 0.002);
    expect(deflatedSharpe(0.15, 500, 0, 3, 51, 0.002)).toBeLessThan(base);
    expect(deflatedSharpe(0.15, 500, -1, 3, 50, 0.002)).toBeLessThan(base);
    expect(deflatedSharpe(0.15, 400, 0, 3, 50, 0.002)).toBeLessThan(base);
  });

  it('do not exist for a single observation, and no record is long enough for a Sharpe at its benchmark', () => {
    expect(engine.raw.probabilisticSharpe(1, 0, 1, 0, 3)).toBeNaN();
    expect(engine.raw.minimumTrackRecord(0.1, 0.1, 0, 3, 0.95)).toBe(Infinity);
  });
});

describe('moments', () => {
  const momentsOf = (values: number[]): number[] => {
    const out = engine.reserve(4);
    engine.raw.moments(engine.push(Float64Array.from(values)), values.length, out);
    return [...engine.pull(out, 4)];
  };

  it('are the ones worked out by hand', () => {
    // 1 2 3 6: mean 3, distances -2 -1 0 3; squares 14, cubes 18, fourths 98.
    const [mean, deviation, skewness, kurtosis] = momentsOf([1, 2, 3, 6]);
    expect(mean).toBe(3);
    expect(deviation).toBeCloseTo(Math.sqrt(14 / 3), 15);
    expect(skewness).toBeCloseTo(18 / 4 / 3.5 ** 1.5, 15);
    expect(kurtosis).toBeCloseTo(98 / 4 / 3.5 ** 2, 15);
  });

  it('call a repeated value no variation, whatever its rounding', () => {
    expect(momentsOf(Array.from({ length: 7 }, () => 0.1))).toEqual([expect.closeTo(0.1, 15), 0, NaN, NaN]);
  });

  it('do not lose a small spread around a large mean', () => {
    const [, deviation] = momentsOf([1e6 + 1e-4, 1e6 - 1e-4, 1e6 + 1e-4, 1e6 - 1e-4]);
    expect(deviation).toBeCloseTo(1e-4 * Math.sqrt(4 / 3), 9);
  });
});
