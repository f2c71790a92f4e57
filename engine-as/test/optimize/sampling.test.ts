import { beforeAll, describe, expect, it } from 'vitest';
import * as abi from '../../abi/optimize.ts';
import { voteIds } from '../../abi/voteExports.ts';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { packSet, packSpace, unpackSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { loadEngine } from '../support.ts';
import { defaultParams } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

function spaceRows(...wanted: Parameters<typeof packSpace>): Float64Array {
  const space = packSpace(...wanted);
  if (!space.ok) throw new Error(space.error.message);
  return space.value;
}

/** Every parameter is drawn independently. */
const dense = (): Float64Array => spaceRows({ draw: 'dense' });

function sample(seed: number, index: number, rows = dense()): Float64Array {
  const set = engine.reserve(abi.SET_LENGTH);
  engine.raw.sampleSet(BigInt(seed), BigInt(index), engine.push(rows), engine.push(packSet(defaultParams)), set);
  const values = engine.pull(set, abi.SET_LENGTH);
  engine.raw.arenaReset();
  return values;
}

describe('sampled sets', () => {
  it('start with the set of the user, off the grid as it may be', () => {
    expect(unpackSet(sample(9, 0), defaultParams)).toEqual(defaultParams);
  });

  it('are the same for the same seed and index, and others for others', () => {
    expect(sample(5, 77)).toEqual(sample(5, 77));
    expect(sample(5, 77)).not.toEqual(sample(5, 78));
    expect(sample(5, 77)).not.toEqual(sample(6, 77));
  });

  it('use all of a seed and of an index, also above 2^32', () => {
    for (const far of [2 ** 32, 2 ** 40, 2 ** 52]) {
      expect(sample(far + 5, 77)).not.toEqual(sample(5, 77));
      expect(sample(5, far + 77)).not.toEqual(sample(5, 77));
    }
    expect(sample(2 ** 32 + 5, 77)).toEqual(sample(2 ** 32 + 5, 77));
  });

  it('reach both ends of every range of the product and every step between, and nothing else', () => {
    const rows = dense();
    const seen = Array.from({ length: abi.SET_LENGTH }, () => new Set<number>());
    for (let index = 1; index <= 8000; index++) sample(1, index, rows).forEach((value, slot) => seen[slot]!.add(value));
    const grid = (from: number, to: number, divisor: number): number[] =>
      Array.from({ length: to - from + 1 }, (_, i) => (from + i) / divisor);
    const sorted = (slot: number): number[] => [...seen[slot]!].sort((a, b) => a - b);
    expect(sorted(abi.SET_WEIGHTS + 12)).toEqual(grid(0, 20, 1));
    expect(sorted(abi.SET_ENTRY_THRESHOLD)).toEqual(grid(10, 100, 100));
    expect(sorted(abi.SET_STOP_LOSS)).toEqual(grid(1, 100, 1000));
    expect(sorted(abi.SET_TAKE_PROFIT)).toEqual(grid(1, 200, 1000));
    expect(sorted(abi.SET_IS_TRAILING)).toEqual([0, 1]);
    expect(sorted(abi.SET_CALLBACK)).toEqual(grid(2, 100, 2000));
    expect(sorted(abi.SET_STEP)).toEqual(grid(1, 50, 2000));
  });

  it('hit every weight equally often', () => {
    const counts = new Float64Array(21);
    for (let index = 1; index <= 21_000; index++) counts[sample(3, index)[abi.SET_WEIGHTS]!]! += 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(20 + 5 * Math.sqrt(40));
  });

  it('keep a parameter whose range is one value', () => {
    const rows = spaceRows({ stopLossFraction: { min: 0.02, max: 0.02 }, trailing: 'on' });
    for (let index = 1; index < 50; index++) {
      const set = sample(2, index, rows);
      expect(set[abi.SET_STOP_LOSS]).toBe(0.02);
      expect(set[abi.SET_IS_TRAILING]).toBe(1);
    }
  });
});

/** Votes of a set that weigh something. */
const weighted = (set: Float64Array): string[] =>
  voteIds.filter((_, vote) => vote < BACKTEST_VOTE_COUNT && set[abi.SET_WEIGHTS + vote]! > 0);

describe('mixed draws', () => {
  const groups = [
    ['rsi', 'boll', 'mfi', 'cci', 'stochrsi'],
    ['macd', 'adx', 'supertrend', 'obv'],
    ['vwap', 'donchian', 'ichimoku', 'fib'],
  ];
  const sets = (seed: number, count: number, rows = spaceRows()): Float64Array[] =>
    Array.from({ length: count }, (_, i) => sample(seed, i + 8, rows)); // 8: the first whole cycle

  it('are a quarter dense, half of 1 to 5 votes and a quarter whole groups', () => {
    for (const seed of [1, 2, 77]) {
      const counts = sets(seed, 800).map((set) => weighted(set).length);
      const isGroup = (i: number): boolean => i % 4 === 2;
      // A dense weight is 0 in one of 21, so a dense set has 12.4 votes in the mean.
      expect(counts.filter((_, i) => i % 4 === 0).every((count) => count >= 7)).toBe(true);
      expect(counts.filter((_, i) => i % 8 === 1).every((count) => count === 1)).toBe(true);
      expect(counts.filter((_, i) => i % 8 === 3).every((count) => count === 2)).toBe(true);
      expect(counts.filter((_, i) => i % 8 === 5).every((count) => count === 3)).toBe(true);
      expect(new Set(counts.filter((_, i) => i % 8 === 7))).toEqual(new Set([4, 5]));
      expect(new Set(counts.filter((_, i) => isGroup(i)))).toEqual(new Set([4, 5]));
    }
  });

  it('try each vote alone in any 104 sets, and each group in any 12', () => {
    for (const seed of [1, 5, 2 ** 40]) {
      const singles = sets(seed, 104)
        .map(weighted)
        .filter(({ length }) => length === 1);
      expect(new Set(singles.flat()).size).toBe(BACKTEST_VOTE_COUNT);
      const whole = sets(seed, 12).flatMap((set, i) => (i % 4 === 2 ? [weighted(set).sort().join()] : []));
      expect(new Set(whole)).toEqual(new Set(groups.map((group) => group.toSorted().join())));
    }
  });

  it('have a threshold that at most three of their votes reach alone', () => {
    for (const set of sets(9, 800).filter((_, i) => i % 4 !== 0)) {
      const weights = [...set.subarray(0, BACKTEST_VOTE_COUNT)].filter((weight) => weight > 0).sort((a, b) => b - a);
      const most = weights.slice(-3).reduce((sum, weight) => sum + weight, 0);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      expect(set[abi.SET_ENTRY_THRESHOLD]!).toBeLessThanOrEqual(Math.max(0.1, most / sum));
    }
  });

  it('draw near stops and targets as often as far ones, octave by octave, within the range', () => {
    const drawn = sets(4, 8000).filter((_, i) => i % 4 !== 0);
    // 1 to 200 thousandths: octaves 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64-127, 128-200.
    const counts = Array.from({ length: 8 }, () => 0);
    for (const set of drawn) counts[Math.floor(Math.log2(Math.round(set[abi.SET_TAKE_PROFIT]! * 1000)))]! += 1;
    const expected = drawn.length / 8;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(7 + 5 * Math.sqrt(14));
    // One octave only: every value as often.
    const narrow = spaceRows({ stopLossFraction: { min: 0.02, max: 0.04 } });
    const stops = new Set(sets(4, 2000, narrow).map((set) => Math.round(set[abi.SET_STOP_LOSS]! * 1000)));
    expect([...stops].sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => 20 + i));
  });

  it('keep the ranges of single votes: one that may not weigh is never drawn, one that must always weighs', () => {
    const rows = spaceRows({ weights: { boll: { min: 0, max: 0 }, rsi: { min: 0.5, max: 1 } } });
    for (const set of sets(3, 400, rows)) {
      expect(set[abi.SET_WEIGHTS + voteIds.indexOf('boll')]).toBe(0);
      expect(set[abi.SET_WEIGHTS + voteIds.indexOf('rsi')]!).toBeGreaterThanOrEqual(5);
      expect(set[abi.SET_WEIGHTS + voteIds.indexOf('rsi')]!).toBeLessThanOrEqual(10);
    }
    expect(packSpace({ weights: { boll: { min: 0, max: 3 } } })).toMatchObject({
      ok: false,
      error: { field: 'space.weights.boll' },
    });
    expect(packSpace({ weights: { moon: { min: 0, max: 1 } } })).toMatchObject({
      ok: false,
      error: { code: 'bad_input' },
    });
  });

  it('are dense where no vote may weigh anything', () => {
    const rows = spaceRows({ weight: { min: 0, max: 0 } });
    for (const set of sets(3, 16, rows)) expect(weighted(set)).toEqual([]);
  });
});

describe('neighbours and mutations', () => {
  const rows = spaceRows();

  function neighbours(base: Float64Array): Float64Array[] {
    const sets = engine.reserve(abi.SET_LENGTH * 2 * abi.SET_LENGTH);
    const count = engine.raw.neighbourSets(engine.push(rows), engine.push(base), sets);
    const values = engine.pull(sets, abi.SET_LENGTH * count);
    engine.raw.arenaReset();
    return Array.from({ length: count }, (_, i) => values.slice(i * abi.SET_LENGTH, (i + 1) * abi.SET_LENGTH));
  }

  it('move one parameter by a tenth or a step, and leave a trailing stop that is off alone', () => {
    const base = sample(1, 1, spaceRows({ trailing: 'off', stopLossFraction: { min: 0.05, max: 0.05 } }));
    for (const set of neighbours(base)) {
      const moved = [...set.keys()].filter((slot) => set[slot] !== base[slot]);
      expect(moved).toHaveLength(1);
      expect(moved[0]).toBeLessThan(abi.SET_IS_TRAILING);
      if (moved[0] === abi.SET_STOP_LOSS) expect([0.045, 0.055]).toContain(set[abi.SET_STOP_LOSS]);
    }
  });

  it('do not leave the space at its corners', () => {
    const corner = Float64Array.from({ length: abi.SET_LENGTH }, (_, slot) => rows[slot * 3]! / rows[slot * 3 + 2]!);
    const sets = neighbours(corner);
    expect(sets.length).toBe(3); // upwards only; votes without weight and a trailing stop that is off are left alone
    for (const set of sets) expect(set.every((value, slot) => value >= corner[slot]!)).toBe(true);
  });

  it('stay within reach of the base', () => {
    const base = sample(1, 5);
    const out = engine.reserve(abi.SET_LENGTH);
    const [space, at] = [engine.push(rows), engine.push(base)];
    let moves = 0;
    for (let index = 0; index < 500; index++) {
      engine.raw.mutateSet(8n, BigInt(index), space, at, 0.3, 0.1, out);
      const set = engine.pull(out, abi.SET_LENGTH);
      set.forEach((value, slot) => {
        const [min, max, divisor] = rows.subarray(slot * 3, slot * 3 + 3) as unknown as [number, number, number];
        expect(Math.abs(value - base[slot]!) * divisor).toBeLessThanOrEqual(Math.max(1, (max - min) * 0.1) + 1e-9);
        expect(value * divisor).toBeGreaterThanOrEqual(min - 1e-9);
        expect(value * divisor).toBeLessThanOrEqual(max + 1e-9);
        moves += Number(value !== base[slot]);
      });
    }
    engine.raw.arenaReset();
    // 19 parameters, 30 % each; a few moves are cut off at the border.
    expect(moves / 500).toBeGreaterThan(4);
    expect(moves / 500).toBeLessThan(6);
  });
});

describe('a space', () => {
  it('that is inverted, too wide or not a number is rejected by name', () => {
    for (const range of [
      { min: 0.5, max: 0.4 },
      { min: 0, max: 1 },
      { min: NaN, max: 1 },
    ]) {
      expect(packSpace({ entryThreshold: range })).toMatchObject({
        ok: false,
        error: { code: 'bad_input', field: 'space.entryThreshold' },
      });
    }
  });
});
