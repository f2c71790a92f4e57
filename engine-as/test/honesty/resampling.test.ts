import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadEngine } from '../support.ts';
import { inArena, noiseTable, testNormal, testUniform } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

interface Paths {
  finals: Float64Array;
  drawdowns: Float64Array;
  fan: Float64Array;
}

function bootstrap(changes: number[] | Float64Array, block: number, paths: number, seed = 1n, checkpoints = 4): Paths {
  return inArena(engine, () => {
    const at = engine.push(Float64Array.from(changes));
    const [finals, drawdowns] = [engine.reserve(paths), engine.reserve(paths)];
    const fan = engine.reserve(paths * checkpoints);
    engine.raw.equityBootstrap(at, changes.length, 100, block, paths, seed, checkpoints, finals, drawdowns, fan);
    const pull = (address: number, length: number): Float64Array => engine.pull(address, length);
    return { finals: pull(finals, paths), drawdowns: pull(drawdowns, paths), fan: pull(fan, paths * checkpoints) };
  });
}

describe('resampled equity', () => {
  it('is the measured path itself, turned, when one block covers it', () => {
    const { finals, drawdowns } = bootstrap([5, -20, 30, -1], 4, 50);
    expect(new Set(finals)).toEqual(new Set([114]));
    // 105 85 115 114; 80 110 109 114; 130 129 134 114; 99 104 84 114.
    const falls = [20 / 105, 20 / 100, 20 / 134, 20 / 104].map((fall) => fall.toFixed(12));
    expect(new Set(Array.from(drawdowns, (fall) => fall.toFixed(12)))).toEqual(new Set(falls));
  });

  it('keeps the mean and, block by block, the variance of the sum', () => {
    const normal = testNormal(3);
    const changes = Array.from({ length: 400 }, () => 0.1 + normal());
    const mean = changes.reduce((a, b) => a + b, 0) / 400;
    const variance = changes.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 400;
    const { finals } = bootstrap(changes, 1, 4000);
    const average = finals.reduce((a, b) => a + b, 0) / 4000;
    const spread = finals.reduce((sum, x) => sum + (x - average) ** 2, 0) / 3999;
    expect(Math.abs(average - (100 + 400 * mean))).toBeLessThan(4 * Math.sqrt((400 * variance) / 4000));
    expect(spread / (400 * variance)).toBeGreaterThan(0.9);
    expect(spread / (400 * variance)).toBeLessThan(1.1);
  });

  it('spreads wider with blocks when losses come in runs', () => {
    const runs = Array.from({ length: 400 }, (_, t) => (Math.floor(t / 20) % 2 === 0 ? 1 : -1));
    const range = (block: number): number => {
      const { finals } = bootstrap(runs, block, 1000);
      return Math.max(...finals) - Math.min(...finals);
    };
    expect(range(20)).toBeGreaterThan(2 * range(1));
  });

  it('notes the end of every path at the last checkpoint', () => {
    for (const length of [4, 7, 50, 101]) {
      const { finals, fan } = bootstrap(noiseTable(1, length, length), 3, 20);
      expect(fan.slice(60)).toEqual(finals);
    }
  });

  it('is the same for the same seed only', () => {
    const changes = noiseTable(1, 60, 4);
    expect(bootstrap(changes, 5, 10, 7n)).toEqual(bootstrap(changes, 5, 10, 7n));
    expect(bootstrap(changes, 5, 10, 7n).finals).not.toEqual(bootstrap(changes, 5, 10, 8n).finals);
  });

  it('shows no fall without a loss', () => {
    expect(Math.max(...bootstrap([1, 2, 0, 3], 2, 30).drawdowns)).toBe(0);
  });
});

describe('sorting and quantiles', () => {
  it('sort like JavaScript does', () => {
    const uniform = testUniform(5);
    for (const length of [0, 1, 2, 3, 10, 101, 1000]) {
      const values = Float64Array.from({ length }, () => Math.floor(uniform() * 50) - 25);
      const sorted = inArena(engine, () => {
        const at = engine.push(values);
        engine.raw.sortAscending(at, length);
        return engine.pull(at, length);
      });
      expect(sorted).toEqual(values.slice().sort());
    }
  });

  it('interpolate between neighbours, as worked out by hand', () => {
    const at = engine.push(Float64Array.of(1, 2, 4, 8));
    const quantile = (p: number): number => engine.raw.quantileOfSorted(at, 4, p);
    expect([0, 0.5, 1 / 6, 0.95, 1].map(quantile)).toEqual([1, 3, 1.5, expect.closeTo(7.4, 12), 8]);
    expect(engine.raw.quantileOfSorted(at, 0, 0.5)).toBeNaN();
  });
});

describe('costs and plateau', () => {
  it('break even where the fee takes what is left', () => {
    // Two fills of 1,000 and 1,010, gross 10, funding paid 2: 8 over 2,010.
    expect(engine.raw.breakEvenFee(10, 2, 2010)).toBeCloseTo(8 / 2010, 15);
    expect(engine.raw.breakEvenFee(-1, 0, 2000)).toBeLessThan(0);
    expect(engine.raw.breakEvenFee(1, 0, 0)).toBeNaN();
  });

  it('call a plateau 1, a spike 0, and nothing without a lead', () => {
    expect(engine.raw.plateauScore(10, 10, 2)).toBe(1);
    expect(engine.raw.plateauScore(10, 6, 2)).toBe(0.5);
    expect(engine.raw.plateauScore(10, 1, 2)).toBe(0);
    expect(engine.raw.plateauScore(10, 12, 2)).toBe(1);
    expect(engine.raw.plateauScore(2, 1, 2)).toBeNaN();
  });

  it('never give a p-value of 0', () => {
    expect(engine.raw.simulatedPValue(0, 999)).toBe(0.001);
    expect(engine.raw.simulatedPValue(999, 999)).toBe(1);
  });
});
