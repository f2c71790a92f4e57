import { SET_ENTRY_THRESHOLD, SET_IS_TRAILING, SET_LENGTH, SPACE_DIVISOR } from '../../abi/optimize';
import { addressOf, at } from '../series';
import { moveSlot, spaceOf } from './sampling';

/** A parameter is moved by a tenth of its value, or by one step when that is more. */
const REACH: f64 = 0.1;

/**
 * The sets around `base`: each parameter that can move, moved down and then up, one at a time; trailing is left on or off, and a vote
 * without weight without it.
 * @param sets f64[SET_LENGTH * 2 * SET_LENGTH], written
 * @returns how many were written
 */
export function neighbourSets(space: usize, base: usize, sets: usize): i32 {
  let count = 0;
  for (let slot = 0; slot < SET_LENGTH; slot++) {
    if (slot === SET_IS_TRAILING) continue;
    // A vote without weight is not a parameter of this set: giving it some is another strategy.
    if (slot < SET_ENTRY_THRESHOLD && at(base, slot) === 0) continue;
    if (slot > SET_IS_TRAILING && at(base, SET_IS_TRAILING) === 0) continue; // callback and step do nothing then
    const steps = max(1, <i32>Math.round(at(base, slot) * spaceOf(space, slot, SPACE_DIVISOR) * REACH));
    for (let direction = -1; direction <= 1; direction += 2) {
      const set = addressOf(sets, count * SET_LENGTH);
      memory.copy(set, base, (<usize>SET_LENGTH) << 3);
      if (moveSlot(space, base, slot, direction * steps, set)) count++;
    }
  }
  return count;
}
