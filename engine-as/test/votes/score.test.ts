import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import { VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { goldenWalk } from '../candles.ts';
import { loadEngine, scoreOf, type VoteTable, voteTable } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Votes of `length` candles that are all defined from `first` on. */
function table(rows: number[][], first: number[] = []): VoteTable {
  const length = rows[0]?.length ?? 0;
  const votes = Array.from({ length: VOTE_COUNT }, (_, k) => Int8Array.from(rows[k] ?? Array<number>(length).fill(0)));
  return { votes, first: Int32Array.from({ length: VOTE_COUNT }, (_, k) => first[k] ?? 0) };
}

const weigh = (...weights: number[]): number[] => [...weights, ...Array<number>(VOTE_COUNT - weights.length).fill(0)];

describe('the score', () => {
  it('is the weighted mean of the votes', () => {
    // (1.5 * 1 + 1.5 * -1 + 1.2 * 1) / 4.2 and (1.5 + 1.5 - 1.2) / 4.2
    const got = scoreOf(
      engine,
      table([
        [1, 1],
        [-1, 1],
        [1, -1],
      ]),
      weigh(15, 15, 12),
    );
    expect([...got.score]).toEqual([12 / 42, 18 / 42]);
    expect([...got.live]).toEqual([3, 3]);
  });

  it('waits for every vote that has a weight', () => {
    const votes = table(
      [
        [0, 0, 1, 1],
        [0, 0, 0, 1],
        [1, 1, 1, 1],
      ],
      [2, 3, 0],
    );
    expect([...scoreOf(engine, votes, weigh(10, 10, 10)).score]).toEqual([NaN, NaN, NaN, 1]);
    expect([...scoreOf(engine, votes, weigh(10, 0, 10)).score]).toEqual([NaN, NaN, 1, 1]);
    expect([...scoreOf(engine, votes, weigh(10, 10, 10)).live]).toEqual([1, 1, 2, 3]);
  });

  it('is 0 everywhere when no vote has a weight', () => {
    const got = scoreOf(engine, table([[1, -1]], [1]), weigh());
    expect([...got.score]).toEqual([0, 0]);
    expect([...got.live]).toEqual([0, 0]);
  });

  it('never is when a weighted vote never is', () => {
    const got = scoreOf(engine, table([[1, 1]], [2]), weigh(10));
    expect([...got.score]).toEqual([NaN, NaN]);
    expect([...got.live]).toEqual([0, 0]);
  });

  it('is 1 when all agree, whatever the weights', () => {
    const ones = Array.from({ length: VOTE_COUNT }, () => Array<number>(40).fill(1));
    const { score } = scoreOf(engine, table(ones), Array<number>(VOTE_COUNT).fill(20));
    expect([...score].every((value) => value === 1)).toBe(true);
  });

  it.each([-1, 21])('rejects a weight of %i tenths', (weight) => {
    expect(scoreOf(engine, table([[1]]), weigh(weight)).status).toBe(STATUS_BAD_PARAMETER);
  });

  it('equals integer arithmetic for any votes, weights and lengths', () => {
    const seed = 20260718;
    const anyCase = fc.integer({ min: 0, max: 70 }).chain((length) =>
      fc.record({
        rows: fc.array(fc.array(fc.integer({ min: -1, max: 1 }), { minLength: length, maxLength: length }), {
          minLength: VOTE_COUNT,
          maxLength: VOTE_COUNT,
        }),
        first: fc.array(fc.integer({ min: 0, max: length }), { minLength: VOTE_COUNT, maxLength: VOTE_COUNT }),
        weights: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: VOTE_COUNT, maxLength: VOTE_COUNT }),
      }),
    );
    fc.assert(
      fc.property(anyCase, ({ rows, first, weights }) => {
        const got = scoreOf(engine, table(rows, first), weights);
        expect(got.status).toBe(STATUS_OK);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const start = Math.max(0, ...first.filter((_, k) => weights[k]! > 0));
        rows[0]!.forEach((_, i) => {
          const sum = rows.reduce((whole, row, k) => whole + row[i]! * weights[k]!, 0);
          expect(got.score[i]).toBe(total === 0 ? 0 : i < start ? NaN : sum / total + 0);
          expect(got.live[i]).toBe(first.filter((candle, k) => weights[k]! > 0 && candle <= i).length);
        });
      }),
      { seed, numRuns: 300 },
    );
  });

  it('stays within -1 and 1 on a market', () => {
    const { score } = scoreOf(
      engine,
      voteTable(engine, goldenWalk(1000)),
      weigh(15, 15, 12, 10, 12, 10, 10, 8, 8, 6, 10, 8, 6),
    );
    const defined = [...score].filter((value) => !Number.isNaN(value));
    expect(defined).toHaveLength(1000 - 76);
    expect(Math.max(...defined.map(Math.abs))).toBeLessThanOrEqual(1);
  });
});
