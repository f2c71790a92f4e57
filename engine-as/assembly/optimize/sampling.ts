import { SET_LENGTH, SPACE_DIVISOR, SPACE_MAX, SPACE_MIN, SPACE_ROW_LENGTH } from '../../abi/optimize';
import { randomBelow, randomDraw, streamKey, uniformOf } from '../random/draw';
import { at, put } from '../series';

/**
 * Set `index` of the random search `seed`: a pure function of both, so any chunk can run anywhere. Index 0 is the user's own.
 * @param space   f64[SET_LENGTH * SPACE_ROW_LENGTH]
 * @param current f64[SET_LENGTH]
 * @param set     f64[SET_LENGTH], written
 */
export function sampleSet(seed: u64, index: u64, space: usize, current: usize, set: usize): void {
  if (index === 0) {
    memory.copy(set, current, (<usize>SET_LENGTH) << 3);
    return;
  }
  const key = streamKey(seed, index);
  for (let slot = 0; slot < SET_LENGTH; slot++) {
    const least = spaceOf(space, slot, SPACE_MIN);
    const choices = <u32>(spaceOf(space, slot, SPACE_MAX) - least) + 1;
    put(set, slot, (least + <f64>randomBelow(key, <u64>slot, choices)) / spaceOf(space, slot, SPACE_DIVISOR));
  }
}

/**
 * A set near `base`: each parameter moves with probability `share`, by up to `reach` of its range (at least one step), to
 * either side, and stays inside the space. Draws of one (seed, index) are fixed.
 */
export function mutateSet(seed: u64, index: u64, space: usize, base: usize, share: f64, reach: f64, set: usize): void {
  const key = streamKey(seed, index);
  for (let slot = 0; slot < SET_LENGTH; slot++) {
    const least = spaceOf(space, slot, SPACE_MIN);
    const most = spaceOf(space, slot, SPACE_MAX);
    put(set, slot, at(base, slot));
    if (most <= least || uniformOf(randomDraw(key, <u64>(2 * slot))) >= share) continue;
    const stepsMax = max(1, <i32>((most - least) * reach));
    const draw = <i32>randomBelow(key, <u64>(2 * slot + 1), <u32>(2 * stepsMax));
    moveSlot(space, base, slot, draw < stepsMax ? draw - stepsMax : draw - stepsMax + 1, set);
  }
}

/** Puts parameter `slot` of `base`, moved by `steps` within the space, into `set`. @returns false when it cannot move */
export function moveSlot(space: usize, base: usize, slot: i32, steps: i32, set: usize): bool {
  const divisor = spaceOf(space, slot, SPACE_DIVISOR);
  const here = Math.round(at(base, slot) * divisor);
  const there = Math.min(Math.max(here + <f64>steps, spaceOf(space, slot, SPACE_MIN)), spaceOf(space, slot, SPACE_MAX));
  if (there === here) return false;
  put(set, slot, there / divisor);
  return true;
}

export function spaceOf(space: usize, slot: i32, field: i32): f64 {
  return at(space, slot * SPACE_ROW_LENGTH + field);
}
