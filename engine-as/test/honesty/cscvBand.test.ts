import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadEngine } from '../support.ts';
import { inArena, noiseTable } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const TRIALS = 50;
const BARS = 600;
const BLOCKS = 10;
const CHUNKS = 5;
const RESAMPLES = 100;

interface Band {
  overfit: number;
  low: number;
  high: number;
}

function band(returns: Float64Array, seed: number): Band {
  return inArena(engine, () => {
    const { raw } = engine;
    const at = engine.push(returns);
    const [sums, squares] = [engine.reserve(BLOCKS * TRIALS + 1), engine.reserve(BLOCKS * TRIALS + 1)];
    const [sharpes, stored, row] = [engine.reserve(TRIALS), engine.reserve(TRIALS), engine.reserve(BARS)];
    const scratch = engine.reserve((CHUNKS + 3) * BLOCKS * TRIALS + 3 * TRIALS + 8);
    const out = engine.reserve(RESAMPLES);
    raw.cscvBlocks(at, TRIALS, BARS, BLOCKS, sums, squares);
    const overfit = raw.cscvOverfit(sums, squares, TRIALS, BLOCKS, BARS / BLOCKS, scratch, 0);
    raw.trialTable(at, TRIALS, BARS, sharpes, row, scratch);
    const [mean, variance, correlation] = engine.pull(scratch, 3) as unknown as [number, number, number];
    raw.shrinkSharpes(sharpes, TRIALS, BARS, mean, variance, correlation, stored);
    raw.cscvBand(at, TRIALS, BARS, BLOCKS, CHUNKS, stored, RESAMPLES, BigInt(seed), scratch, out);
    raw.sortAscending(out, RESAMPLES);
    const quantile = (p: number): number => raw.quantileOfSorted(out, RESAMPLES, p);
    return { overfit, low: quantile(0.05), high: quantile(0.95) };
  });
}

const bands = (means: number[], from: number): Band[] =>
  Array.from({ length: 60 }, (_, i) => band(noiseTable(TRIALS, BARS, from + i, means), i));

describe('chance band of the overfitting probability', () => {
  it('holds the figure in about nine of ten noise tables and is as wide as noise is', () => {
    const matches = bands([], 100);
    const inside = matches.filter(({ overfit, low, high }) => overfit >= low && overfit <= high).length;
    expect(inside).toBeGreaterThanOrEqual(48); // 90 % of 60 is 54, four standard errors below is 45
    const mean = (pick: (b: Band) => number): number => matches.reduce((sum, b) => sum + pick(b), 0) / 60;
    expect(mean((b) => b.low)).toBeLessThan(0.3);
    expect(mean((b) => b.high)).toBeGreaterThan(0.7);
  });

  it('ends below one half when one trial is skilled beyond doubt', () => {
    // 0.25 per bar over 600 bars is six standard errors.
    const matches = bands([0.25], 300);
    expect(matches.filter(({ high }) => high < 0.5).length).toBeGreaterThanOrEqual(57);
  });

  it('hardly ever ends below one half on noise', () => {
    expect(bands([], 500).filter(({ high }) => high < 0.5).length).toBeLessThanOrEqual(4);
  });
});

describe('Sharpes with the luck taken out', () => {
  it('are drawn together when noise explains their spread, and an outstanding one stays', () => {
    const sharpes = Float64Array.from({ length: 50 }, (_, k) => (k === 7 ? 0.4 : (k % 2) * 0.04 - 0.02));
    const mean = sharpes.reduce((a, b) => a + b, 0) / 50;
    const variance = sharpes.reduce((sum, s) => sum + (s - mean) ** 2, 0) / 49;
    const stored = inArena(engine, () => {
      const out = engine.reserve(50);
      engine.raw.shrinkSharpes(engine.push(sharpes), 50, 250, mean, variance, 0, out);
      return engine.pull(out, 50);
    });
    // Noise of 250 bars has variance 0.004, more than there is: all but the outstanding one become the mean.
    expect(variance).toBeLessThan(0.004);
    stored.forEach((value, k) => expect(value).toBeCloseTo(k === 7 ? 0.4 : mean, 12));
  });
});

describe('trial table', () => {
  const table = (returns: Float64Array, trials: number): number[] =>
    inArena(engine, () => {
      const bars = returns.length / trials;
      const [sharpes, row, out] = [engine.reserve(trials), engine.reserve(bars), engine.reserve(4)];
      engine.raw.trialTable(engine.push(returns), trials, bars, sharpes, row, out);
      return [...engine.pull(out, 3)];
    });

  it('finds no correlation in independent noise, one half in half-shared noise, one in copies', () => {
    const own = noiseTable(30, 2000, 1);
    const shared = noiseTable(1, 2000, 2);
    expect(table(own, 30)[2]).toBeCloseTo(0, 1);
    const half = own.map((value, cell) => value + shared[cell % 2000]!);
    expect(Math.abs(table(half, 30)[2]! - 0.5)).toBeLessThan(0.04);
    const copies = own.map((_, cell) => shared[cell % 2000]!);
    expect(table(copies, 30)[2]).toBeCloseTo(1, 9);
  });

  it('leaves trials that never traded out of the correlation', () => {
    const own = noiseTable(3, 500, 4).fill(0, 0, 500);
    const two = table(own.slice(500), 2)[2]!;
    expect(table(own, 3)[2]).toBeCloseTo(two, 12);
    expect(table(new Float64Array(1000), 2)[2]).toBeNaN();
  });
});

describe('best by luck', () => {
  const luckiest = (returns: Float64Array, trials: number, worlds: number): Float64Array =>
    inArena(engine, () => {
      const bars = returns.length / trials;
      const scratch = engine.reserve(trials * Math.ceil(bars / 8) + trials + 4);
      const out = engine.reserve(worlds);
      engine.raw.bestByLuck(engine.push(returns), trials, bars, 8, worlds, 3n, scratch, out);
      return engine.pull(out, worlds);
    });
  const mean = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length;

  it('is the luck ceiling for unrelated trials, and that of one trial for copies of it', () => {
    const own = noiseTable(50, 800, 8);
    const ceiling = engine.raw.expectedMaximumExact(50) / Math.sqrt(800);
    expect(mean(luckiest(own, 50, 2000)) / ceiling).toBeGreaterThan(0.95);
    expect(mean(luckiest(own, 50, 2000)) / ceiling).toBeLessThan(1.05);
    const copies = own.map((_, cell) => own[cell % 800]!);
    expect(Math.abs(mean(luckiest(copies, 50, 2000)))).toBeLessThan(0.1 * ceiling);
  });

  it('forgets what the trials earned and ignores those that never traded', () => {
    const own = noiseTable(10, 400, 9);
    const paid = own.map((value, cell) => value + Math.floor(cell / 400));
    luckiest(paid, 10, 50).forEach((best, world) => expect(best).toBeCloseTo(luckiest(own, 10, 50)[world]!, 9));
    const idle = Float64Array.from([...own.subarray(0, 400), ...new Float64Array(400)]);
    const alone = luckiest(own.slice(0, 400), 1, 50);
    luckiest(idle, 2, 50).forEach((best, world) => expect(best).toBe(Math.max(0, alone[world]!)));
  });
});
