import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { cscvReference } from './reference/cscv.ts';
import { loadEngine } from '../support.ts';
import { inArena, noiseTable, testUniform } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const choiceCounts: Record<number, number> = { 2: 2, 4: 6, 6: 20, 8: 70, 10: 252 };

interface Overfit {
  probability: number;
  /** Per choice: Sharpe inside, Sharpe outside, relative rank. */
  records: Float64Array;
}

function overfit(returns: Float64Array, trialCount: number, blockCount: number): Overfit {
  const length = returns.length / trialCount;
  return inArena(engine, () => {
    const column = engine.push(returns);
    const sums = engine.reserve(blockCount * trialCount + 1);
    const squares = engine.reserve(blockCount * trialCount + 1);
    engine.raw.cscvBlocks(column, trialCount, length, blockCount, sums, squares);
    const recordCount = 3 * choiceCounts[blockCount]!;
    const out = engine.reserve(recordCount);
    const rows = Math.floor(length / blockCount);
    const scratch = engine.reserve(2 * trialCount + 4);
    const probability = engine.raw.cscvOverfit(sums, squares, trialCount, blockCount, rows, scratch, out);
    return { probability, records: engine.pull(out, recordCount) };
  });
}

describe('probability of overfitting', () => {
  it.each([
    [5, 40, 2],
    [7, 61, 4],
    [6, 50, 6],
    [10, 83, 8],
  ])('equals the slow reference on noise: %i trials, %i rows, %i blocks', (trialCount, length, blockCount) => {
    for (let seed = 1; seed <= 12; seed++) {
      const returns = noiseTable(trialCount, length, seed);
      const { probability } = overfit(returns, trialCount, blockCount);
      expect(probability, `seed ${seed}`).toBeCloseTo(cscvReference(returns, trialCount, length, blockCount), 12);
    }
  });

  it('is 1 when the trial that wins one half always loses the other, worked out by hand', () => {
    // Two blocks of two rows. Trial A wins in block 0, loses in block 1; trial B the reverse.
    const a = [3, 1, -3, -1];
    const b = [-3, -1, 3, 1];
    const { probability, records } = overfit(Float64Array.from([...a, ...b]), 2, 2);
    expect(probability).toBe(1);
    // Mean 2 over deviation sqrt 2 inside; its opposite outside; rank 1 of 2 gives 1 / 3.
    const hand = [Math.SQRT2, -Math.SQRT2, 1 / 3];
    hand.concat(hand).forEach((value, i) => expect(records[i]).toBeCloseTo(value, 12));
  });

  it('gives ties their mean rank, worked out by hand', () => {
    // Two blocks of two rows. A earns 3 and 1 in the first, B 2 and 0 in the second, C and D never trade.
    const table = [
      [3, 1, 0, 0],
      [0, 0, 2, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ].flat();
    const { probability, records } = overfit(Float64Array.from(table), 4, 2);
    // A wins the first block; in the second it shares the ranks 1 to 3 with C and D, below B: 2 of 4 is 2 / 5. B wins the second; in the
    // first it shares them below A.
    expect([records[2], records[5]]).toEqual([2 / 5, 2 / 5]);
    expect(probability).toBe(1);
    // Four that are equal outside share the ranks 1 to 4: 2.5 / 5 is the middle, and the middle counts as overfit. In the second block
    // none stands out; the first of them, A, is then the best of all in the other.
    const alone = overfit(Float64Array.from([3, 1, 0, 0, ...new Float64Array(12)]), 4, 2);
    expect([alone.records[2], alone.records[5]]).toEqual([0.5, 0.8]);
    expect(alone.probability).toBe(0.5);
  });

  it('is 0 when one trial is best everywhere', () => {
    const returns = noiseTable(20, 200, 5, [2]);
    expect(overfit(returns, 20, 10).probability).toBe(0);
  });

  it('does not depend on the order of blocks or trials', () => {
    const trialCount = 12;
    const length = 80;
    const returns = noiseTable(trialCount, length, 9);
    const uniform = testUniform(4);
    const shuffle = (n: number): number[] =>
      Array.from({ length: n }, (_, i) => [uniform(), i] as const)
        .sort((x, y) => x[0] - y[0])
        .map(([, i]) => i);
    const blocks = shuffle(8);
    const trials = shuffle(trialCount);
    const moved = Float64Array.from(
      trials.flatMap((k) =>
        blocks.flatMap((b) => [...returns.subarray(k * length + b * 10, k * length + b * 10 + 10)]),
      ),
    );
    expect(overfit(moved, trialCount, 8).probability).toBe(overfit(returns, trialCount, 8).probability);
  });

  it('does not change with the scale of a trial', () => {
    const returns = noiseTable(10, 100, 3);
    const scaled = returns.map((value, cell) => value * 2 ** (Math.floor(cell / 100) % 5));
    expect(overfit(scaled, 10, 10).probability).toBe(overfit(returns, 10, 10).probability);
  });

  it('keeps ranks strictly inside (0, 1), trials that never trade included', () => {
    const returns = noiseTable(10, 100, 21).fill(0, 300, 600);
    const { records } = overfit(returns, 10, 10);
    for (let i = 2; i < records.length; i += 3) {
      expect(records[i]).toBeGreaterThanOrEqual(1 / 11);
      expect(records[i]).toBeLessThanOrEqual(10 / 11);
    }
  });

  it('is one half on average over 300 noise tables, and spreads as widely as a single one warns of', () => {
    const result = Float64Array.from(
      { length: 300 },
      (_, i) => overfit(noiseTable(50, 400, 1000 + i), 50, 10).probability,
    );
    const mean = result.reduce((a, b) => a + b, 0) / 300;
    expect(mean).toBeGreaterThan(0.47);
    expect(mean).toBeLessThan(0.53);
    result.sort();
    expect(result[15]).toBeLessThan(0.3);
    expect(result[284]).toBeGreaterThan(0.7);
  });
});
