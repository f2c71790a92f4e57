import { SPACE_DIVISOR, SPACE_MAX, SPACE_MIN } from '../../abi/optimize';
import { normalQuantile } from '../honesty/normal';
import { openUniformOf, randomDraw, streamKey } from '../random/draw';
import { addressOf, at, put } from '../series';
import { mutateSet, sampleSet, setLength, spaceOf } from './sampling';

/** Samples from .. from + count - 1, one after the other. @param sets set after set, written */
export function sampleSets(seed: u64, from: u64, count: i32, space: usize, current: usize, sets: usize): void {
  const length = setLength(space);
  for (let i = 0; i < count; i++) sampleSet(seed, from + <u64>i, space, current, addressOf(sets, i * length));
}

/**
 * Sets from .. from + count - 1 of a generation in which `perBase` sets lie near each base, base after base.
 * @param first index of the generation's set 0 among the draws of `seed`
 * @param bases base after base
 * @param sets  set after set, written
 */
export function mutateSets(
  seed: u64,
  first: u64,
  from: i32,
  count: i32,
  space: usize,
  bases: usize,
  perBase: i32,
  share: f64,
  reach: f64,
  sets: usize,
): void {
  const length = setLength(space);
  for (let i = 0; i < count; i++) {
    const number = from + i;
    const base = addressOf(bases, (number / perBase) * length);
    mutateSet(seed, first + <u64>number, space, base, share, reach, addressOf(sets, i * length));
  }
}

/** Normal numbers of one set; no set has more values. */
const normals: usize = memory.data(8 * 32);

/**
 * Sets from .. from + count - 1 of a generation of CMA-ES: mean + factor x z in grid steps, rounded and clamped to the space. z is standard
 * normal, a pure function of (seed, first + number of the set). Parameters without a slot are those of `base`.
 * @param slots  i32[dimension], ascending, dimension <= the length of a set
 * @param mean   f64[dimension], grid steps
 * @param factor f64[dimension * dimension], lower triangle row after row, grid steps
 * @param sets   set after set, written
 */
export function guideSets(
  seed: u64,
  first: u64,
  from: i32,
  count: i32,
  space: usize,
  base: usize,
  slots: usize,
  dimension: i32,
  mean: usize,
  factor: usize,
  sets: usize,
): void {
  const length = setLength(space);
  for (let i = 0; i < count; i++) {
    const set = addressOf(sets, i * length);
    memory.copy(set, base, (<usize>length) << 3);
    const key = streamKey(seed, first + <u64>(from + i));
    for (let k = 0; k < dimension; k++) put(normals, k, normalQuantile(openUniformOf(randomDraw(key, <u64>k))));
    for (let k = 0; k < dimension; k++) {
      const slot = load<i32>(slots + ((<usize>k) << 2));
      let steps = at(mean, k);
      for (let j = 0; j <= k; j++) steps += at(factor, k * dimension + j) * at(normals, j);
      const inside = Math.min(
        Math.max(Math.round(steps), spaceOf(space, slot, SPACE_MIN)),
        spaceOf(space, slot, SPACE_MAX),
      );
      put(set, slot, inside / spaceOf(space, slot, SPACE_DIVISOR));
    }
  }
}
