import { SPACE_DIVISOR, TAIL_IS_TRAILING } from '../../abi/optimize';
import { addressOf, at } from '../series';
import { moveSlot, setLength, spaceOf, voteCount } from './sampling';

/** A parameter is moved by a tenth of its value, or by one step when that is more. */
const REACH: f64 = 0.1;

/**
 * The sets around `base`: each parameter that can move, moved down and then up, one at a time; trailing is left on or off, and a vote
 * without weight without it.
 * @param sets room for two sets per parameter, written
 * @returns how many were written
 */
export function neighbourSets(space: usize, base: usize, sets: usize): i32 {
  let count = 0;
  const votes = voteCount(space);
  const length = setLength(space);
  const trailing = votes + TAIL_IS_TRAILING;
  for (let slot = 0; slot < length; slot++) {
    if (slot === trailing) continue;
    // A vote without weight is not a parameter of this set: giving it some is another strategy.
    if (slot < votes && at(base, slot) === 0) continue;
    if (slot > trailing && at(base, trailing) === 0) continue; // callback and step do nothing then
    const steps = max(1, <i32>Math.round(Math.abs(at(base, slot)) * spaceOf(space, slot, SPACE_DIVISOR) * REACH));
    for (let direction = -1; direction <= 1; direction += 2) {
      const set = addressOf(sets, count * length);
      memory.copy(set, base, (<usize>length) << 3);
      if (moveSlot(space, base, slot, direction * steps, set)) count++;
    }
  }
  return count;
}
