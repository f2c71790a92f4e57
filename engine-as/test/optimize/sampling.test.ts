import { beforeAll, describe, expect, it } from 'vitest';
import * as abi from '../../abi/optimize.ts';
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

function sample(seed: number, index: number, rows = spaceRows()): Float64Array {
  const set = engine.reserve(abi.SET_LENGTH);
  engine.raw.sampleSet(BigInt(seed), BigInt(index), engine.push(rows), engine.push(packSet(defaultParams)), set);
  const values = engine.pull(set, abi.SET_LENGTH);
  engine.raw.arenaReset();
  return values;
}

describe('sampled sets', () => {
  it('begin with the set of the user, off the grid as it may be', () => {
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
    const rows = spaceRows();
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
    expect(sets.length).toBe(13 + 3); // upwards only; a trailing stop that is off is left alone
    for (const set of sets) expect(set.every((value, slot) => value >= corner[slot]!)).toBe(true);
  });

  it('stay within reach of the base', () => {
    const base = sample(1, 5, rows);
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
  it('that is turned around, too wide or not a number is refused by name', () => {
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
