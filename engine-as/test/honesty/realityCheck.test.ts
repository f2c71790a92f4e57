import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadEngine } from '../support.ts';
import { inArena } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const WORLDS = 2000;

/** Best mean over deviation of each world, for columns of the same length. */
function bestByLuck(columns: number[][], blockLength: number): Float64Array {
  const length = columns[0]!.length;
  return inArena(engine, () => {
    const scratch = engine.reserve(columns.length * Math.ceil(length / blockLength) + columns.length + 4);
    const out = engine.reserve(WORLDS);
    const returns = engine.push(Float64Array.from(columns.flat()));
    engine.raw.bestByLuck(returns, columns.length, length, blockLength, WORLDS, 5n, scratch, out);
    return engine.pull(out, WORLDS);
  });
}

/** How often each value comes, by its rounded text. */
function sharesOf(values: Float64Array): Record<string, number> {
  const shares: Record<string, number> = {};
  for (const value of values) {
    const key = (value + 0).toFixed(6).replace('-0.000000', '0.000000');
    shares[key] = (shares[key] ?? 0) + 1 / WORLDS;
  }
  return shares;
}

/** Four standard errors of a share of one half. */
const STRAY = 4 * Math.sqrt(0.25 / WORLDS);

describe('worlds without skill', () => {
  it('have every mean of two bars that signs can make, worked out by hand', () => {
    // 3 and 1 are 2 up and down by 1, with a deviation of sqrt 2: a mean of 1, 0 or -1 over that.
    const shares = sharesOf(bestByLuck([[3, 1]], 1));
    const high = Math.SQRT1_2.toFixed(6);
    expect(Object.keys(shares).sort()).toEqual([`-${high}`, '0.000000', high]);
    expect(Math.abs(shares[high]! - 0.25)).toBeLessThan(STRAY);
    expect(Math.abs(shares['0.000000']! - 0.5)).toBeLessThan(STRAY);
  });

  it('throw one sign for all trials, so that a trial and its opposite are never both good', () => {
    // Of 3, 1 and its opposite the better one has 0 or 1 over sqrt 2; thrown apart, it would have the latter in 7 of 16 worlds.
    const shares = sharesOf(
      bestByLuck(
        [
          [3, 1],
          [-3, -1],
        ],
        1,
      ),
    );
    expect(Object.keys(shares)).toHaveLength(2);
    expect(Math.abs(shares[Math.SQRT1_2.toFixed(6)]! - 0.5)).toBeLessThan(STRAY);
  });

  it('take the mean out first: a trial whose blocks only hold its mean shows nothing, however high that is', () => {
    for (const mean of [0, 0.3, 50]) {
      const seesaw = Array.from({ length: 100 }, (_, t) => mean + (t % 2 === 0 ? 1 : -1));
      for (const value of bestByLuck([seesaw], 2)) expect(Math.abs(value)).toBeLessThan(1e-12);
    }
  });

  it('keep blocks whole, the shorter last one too', () => {
    // Up, up, down, down, and up by 2 against a mean of 0.4: block sums of 1.2, -2.8 and 1.6, over a deviation of sqrt 1.8 and five bars.
    const column = [1, 1, -1, -1, 2];
    const sums = [1, -1].flatMap((a) => [1, -1].flatMap((b) => [1, -1].map((c) => 1.2 * a - 2.8 * b + 1.6 * c)));
    const wanted = new Set(sums.map((sum) => (sum / 5 / Math.sqrt(1.8)).toFixed(6).replace('-0.000000', '0.000000')));
    expect(Object.keys(sharesOf(bestByLuck([column], 2))).sort()).toEqual([...wanted].sort());
  });

  it('count a trial that never moved as no gain', () => {
    expect(sharesOf(bestByLuck([[0, 0]], 1))).toEqual({ '0.000000': expect.closeTo(1, 9) as number });
  });
});
