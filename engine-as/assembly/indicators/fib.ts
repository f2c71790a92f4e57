import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { rollingMax, rollingMin } from '../rolling/extreme';
import { addressOf, at, fillStretch, fillUndefined, put } from '../series';

/** Slots of `state`: next candle, swing high, swing low, 1 when the high is known, 1 when the low is known, direction. */
export const FIB_STATE = 6;

const PLANES = 8;

/**
 * Fibonacci retracement of the last leg between two CONFIRMED swings.
 *
 * Candle j is a swing high when no high within `reach` candles on either side is above it and none before it equals
 * it; that is known, and used, only `reach` candles later. Swings alternate: a new swing on the same side replaces the
 * old one only when it is further out, and one that would put the high at or below the low is ignored.
 * @param high   f64[length], with `low` in quote currency
 * @param reach  candles on each side, 1..PERIOD_MAX
 * @param planes eight planes of f64[stride]: swingHigh, swingLow, direction (1 leg up, -1 leg down), and the levels at
 *               23.6, 38.2, 50, 61.8 and 78.6 % of the way back from the leg's end to its start; NaN until both swings
 *               are confirmed, which is at candle 2 * reach + 1 at the earliest
 * @param state  f64[FIB_STATE], cleared before the first call
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function fib(high: usize, low: usize, length: i32, reach: i32, planes: usize, stride: i32, state: usize): i32 {
  const from = <i32>at(state, 0);
  const mark = arenaMark();
  const tops = arenaReserve((<usize>length) << 3);
  const bottoms = arenaReserve((<usize>length) << 3);
  if (tops === 0 || bottoms === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  // tops[i] is the highest of the `reach` candles up to i: those right of a swing at i - reach.
  const wanted = max(0, from - reach - 1);
  let status = rollingMax(high, length, reach, tops, wanted);
  if (status === STATUS_OK) status = rollingMin(low, length, reach, bottoms, wanted);
  if (status === STATUS_OK) follow(high, low, tops, bottoms, from, length, reach, planes, stride, state);
  arenaRelease(mark);
  return status;
}

/** Goes from swing to swing; the planes are written in stretches, because they are constant between two swings. */
function follow(
  high: usize,
  low: usize,
  tops: usize,
  bottoms: usize,
  from: i32,
  length: i32,
  reach: i32,
  planes: usize,
  stride: i32,
  state: usize,
): void {
  let begin = from;
  let i = max(from, 2 * reach);
  while (i < length) {
    // Two candles at a time while the series has them; most are neither a top nor a bottom.
    const isPair = i + 2 <= length;
    const swings = isPair
      ? swingsOf2(high, low, tops, bottoms, i, reach)
      : swingsOf(high, low, tops, bottoms, i, reach);
    for (let lane = 0; lane < 2 && swings !== 0; lane++) {
      const isTop = ((swings >> lane) & 1) !== 0;
      const isBottom = ((swings >> (lane + 2)) & 1) !== 0;
      if (!isTop && !isBottom) continue;
      const candle = i + lane;
      const top = at(high, candle - reach);
      const bottom = at(low, candle - reach);
      if (isTop && isTopTaken(top, state)) {
        write(planes, stride, begin, candle, length, state);
        begin = candle;
        takeTop(top, state);
      }
      if (isBottom && isBottomTaken(bottom, state)) {
        write(planes, stride, begin, candle, length, state);
        begin = candle;
        takeBottom(bottom, state);
      }
    }
    i += 2;
  }
  write(planes, stride, begin, length, length, state);
  put(state, 0, <f64>length);
}

/** Bit 0: a top is confirmed at candle i, bit 2: a bottom. */
export function swingsOf(high: usize, low: usize, tops: usize, bottoms: usize, i: i32, reach: i32): i32 {
  const j = i - reach;
  const top = at(high, j);
  const bottom = at(low, j);
  const isTop = <i32>(top > at(tops, j - 1)) & <i32>(top >= at(tops, i));
  return isTop | ((<i32>(bottom < at(bottoms, j - 1)) & <i32>(bottom <= at(bottoms, i))) << 2);
}

/** The same of candles i (bits 0 and 2) and i + 1 (bits 1 and 3). */
function swingsOf2(high: usize, low: usize, tops: usize, bottoms: usize, i: i32, reach: i32): i32 {
  const j = i - reach;
  const top = at2(high, j);
  const bottom = at2(low, j);
  const isTop = v128.and(f64x2.gt(top, at2(tops, j - 1)), f64x2.ge(top, at2(tops, i)));
  const isBottom = v128.and(f64x2.lt(bottom, at2(bottoms, j - 1)), f64x2.le(bottom, at2(bottoms, i)));
  return i64x2.bitmask(isTop) | (i64x2.bitmask(isBottom) << 2);
}

/** Further out than the top before it, unless a bottom came between, and above that bottom. */
function isTopTaken(price: f64, state: usize): bool {
  const isFurther = at(state, 3) === 0 || at(state, 5) <= 0 || price > at(state, 1);
  return isFurther && (at(state, 4) === 0 || price > at(state, 2));
}

function isBottomTaken(price: f64, state: usize): bool {
  const isFurther = at(state, 4) === 0 || at(state, 5) >= 0 || price < at(state, 2);
  return isFurther && (at(state, 3) === 0 || price < at(state, 1));
}

function takeTop(price: f64, state: usize): void {
  put(state, 1, price);
  put(state, 3, 1);
  put(state, 5, 1);
}

function takeBottom(price: f64, state: usize): void {
  put(state, 2, price);
  put(state, 4, 1);
  put(state, 5, -1);
}

/** Candles [from, to) of every plane from the leg in `state`. */
function write(planes: usize, stride: i32, from: i32, to: i32, limit: i32, state: usize): void {
  if (at(state, 3) === 0 || at(state, 4) === 0) {
    for (let k = 0; k < PLANES; k++) fillUndefined(addressOf(planes, k * stride), from, to);
    return;
  }
  const top = at(state, 1);
  const bottom = at(state, 2);
  const direction = at(state, 5);
  const end = direction > 0 ? top : bottom;
  const way = direction > 0 ? bottom - top : top - bottom; // back towards the start of the leg
  fill(planes, stride, 0, from, to, limit, top);
  fill(planes, stride, 1, from, to, limit, bottom);
  fill(planes, stride, 2, from, to, limit, direction);
  fill(planes, stride, 3, from, to, limit, end + 0.236 * way);
  fill(planes, stride, 4, from, to, limit, end + 0.382 * way);
  fill(planes, stride, 5, from, to, limit, end + 0.5 * way);
  fill(planes, stride, 6, from, to, limit, end + 0.618 * way);
  fill(planes, stride, 7, from, to, limit, end + 0.786 * way);
}

function fill(planes: usize, stride: i32, plane: i32, from: i32, to: i32, limit: i32, value: f64): void {
  fillStretch(addressOf(planes, plane * stride), from, to, limit, value);
}
