import { at2, highs, lows, pair } from '../lanes';
import { at, put } from '../series';

// Two series side by side: lane 0 is one of them, lane 1 the other.

/** Element `slot` of both states. */
export function bothStates(one: usize, two: usize, slot: i32): v128 {
  return pair(at(one, slot), at(two, slot));
}

export function keepStates(one: usize, two: usize, slot: i32, values: v128): void {
  v128.store64_lane(one + ((<usize>slot) << 3), values, 0);
  v128.store64_lane(two + ((<usize>slot) << 3), values, 1);
}

/** Slot 0 of a state is the next candle of the series; both stand at the same one. */
export function keepNext(one: usize, two: usize, i: i32): void {
  put(one, 0, <f64>i);
  put(two, 0, <f64>i);
}

/** Candle `i` of both series. */
export function candle(one: usize, two: usize, i: i32): v128 {
  return pair(at(one, i), at(two, i));
}

/** Candle `i` of both, from a read of candles i and i + 1 of each. */
export function near(one: usize, two: usize, i: i32): v128 {
  return lows(at2(one, i), at2(two, i));
}

/** Candle `i + 1` of both, from the same read. */
export function far(one: usize, two: usize, i: i32): v128 {
  return highs(at2(one, i), at2(two, i));
}
