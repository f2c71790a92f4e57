import { describe, expect, it } from 'vitest';
import { numberColumn } from '../../../src/protocol/wire/column.ts';
import { CandlesWire } from '../../../src/protocol/wire/candles.ts';
import { FundingWire } from '../../../src/protocol/wire/costs.ts';

const issuesOf = (value: unknown) =>
  numberColumn({ countMin: 1, countMax: 200_000 })
    .safeParse(value)
    .error?.issues.map(({ path, message }) => ({ path, message }));

describe('a column of numbers', () => {
  it('makes one issue of any number of wrong values, and names the first', () => {
    const bad = 'must be a finite number';
    expect(issuesOf(Array<string>(200_000).fill(''))).toEqual([{ path: [0], message: bad }]);
    expect(issuesOf([1, 2, 3, null, 'x'])).toEqual([{ path: [3], message: bad }]);
    expect(issuesOf([1, Infinity])).toEqual([{ path: [1], message: bad }]);
  });

  it('has a least and a greatest length, and is nothing but an array', () => {
    expect(issuesOf([])).toEqual([{ path: [], message: 'has 0 values, needs at least 1' }]);
    expect(issuesOf(Array<number>(200_001).fill(1))).toEqual([
      { path: [], message: 'has 200001 values, at most 200000' },
    ]);
    expect(issuesOf({ length: 2, 0: 1, 1: 1 })).toEqual([{ path: [], message: 'must be an array of numbers' }]);
    expect(issuesOf(undefined)).toEqual([{ path: [], message: 'must be an array of numbers' }]);
    expect(numberColumn({ countMax: 3 }).parse([1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('is one issue per column of candles, and funding has at most 20,000 rows', () => {
    const bad = Array<string>(1000).fill('');
    const candles = { time: bad, open: bad, high: bad, low: bad, close: bad, volume: bad };
    expect(CandlesWire.safeParse(candles).error?.issues).toHaveLength(6);
    expect(FundingWire.parse({ time: [1], rate: [0.0001] })).toEqual({ time: [1], rate: [0.0001] });
    const long = Array<number>(20_001).fill(1);
    expect(FundingWire.safeParse({ time: long, rate: [1] }).error?.issues[0]).toMatchObject({ path: ['time'] });
  });
});
