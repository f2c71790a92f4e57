import { BACKTEST_VOTE_COUNT, WEIGHT_TENTHS_MAX } from '../../abi/votes';
import { at } from '../series';

/** Two votes of -1, 0, 1 make nine states, (first + 1) * 3 + (second + 1); seven pairs hold the thirteen votes. */
export const PAIR_COUNT: i32 = 7;
/** Both votes 0. */
export const STATE_NONE: u8 = 4;
const HALF_BYTES: usize = (<usize>(WEIGHT_TENTHS_MAX + 1)) << 4;
/** Largest threshold for which sums that saturate at 127 still compare right: 128 - 20 of the unpaired vote - 1. */
const NARROW_MAX: i32 = 107;

/** Contribution of a weight in each state, first vote of a pair, then the second: i8[2 * 21 * 16]. */
export function writeHalves(halves: usize): void {
  for (let weight = 0; weight <= WEIGHT_TENTHS_MAX; weight++) {
    for (let state = 0; state < 16; state++) {
      const address = halves + ((<usize>weight) << 4) + <usize>state;
      store<i8>(address, state < 9 ? <i8>(weight * (state / 3 - 1)) : 0);
      store<i8>(address + HALF_BYTES, state < 9 ? <i8>(weight * ((state % 3) - 1)) : 0);
    }
  }
}

/** Tables of a set's weights, one of 16 bytes per pair. @returns the sum of the weights, tenths */
export function writeTables(weights: usize, halves: usize, tables: usize): i32 {
  let sum = 0;
  for (let pair = 0; pair < PAIR_COUNT; pair++) {
    const first = <i32>at(weights, 2 * pair);
    const second = 2 * pair + 1 < BACKTEST_VOTE_COUNT ? <i32>at(weights, 2 * pair + 1) : 0;
    const table = i8x16.add(
      v128.load(halves + ((<usize>first) << 4)),
      v128.load(halves + HALF_BYTES + ((<usize>second) << 4)),
    );
    v128.store(tables + ((<usize>pair) << 4), table);
    sum += first + second;
  }
  return sum;
}

/** Least whole number of tenths m with m / sum >= threshold in f64, exactly as the score compares it; sum > 0. */
export function leastTenths(threshold: f64, sum: i32): i32 {
  const whole = <f64>sum;
  let least = <i32>Math.ceil(threshold * whole);
  while (least > 1 && <f64>(least - 1) / whole >= threshold) least--;
  while (least < 1 || <f64>least / whole < threshold) least++;
  return least;
}

/**
 * First bar in [from, end) whose weighted votes reach `least` either way, sixteen bars at a time.
 * @param states u8[7 * stride], readable 16 bytes past the end
 * @returns      2 * bar + 1 for a long, 2 * bar for a short, 2 * end when there is none
 */
export function nextSignal(tables: usize, states: usize, stride: usize, from: i32, end: i32, least: i32): i32 {
  return least <= NARROW_MAX
    ? nextSignalNarrow(tables, states, stride, from, end, least)
    : nextSignalWide(tables, states, stride, from, end, least);
}

function nextSignalNarrow(tables: usize, states: usize, stride: usize, from: i32, end: i32, least: i32): i32 {
  const t0 = v128.load(tables);
  const t1 = v128.load(tables, 16);
  const t2 = v128.load(tables, 32);
  const t3 = v128.load(tables, 48);
  const t4 = v128.load(tables, 64);
  const t5 = v128.load(tables, 80);
  const t6 = v128.load(tables, 96);
  const short = i8x16.splat(<i8>-least);
  const long = i8x16.splat(<i8>least);
  for (let bar = from; bar < end; bar += 16) {
    const s = states + <usize>bar;
    const r = s + 3 * stride;
    // Three pairs of weights up to 2.0 reach 120, so only the sums of sums can saturate.
    const a = i8x16.add(
      i8x16.add(i8x16.swizzle(t0, v128.load(s)), i8x16.swizzle(t1, v128.load(s + stride))),
      i8x16.swizzle(t2, v128.load(s + 2 * stride)),
    );
    const b = i8x16.add(
      i8x16.add(i8x16.swizzle(t3, v128.load(r)), i8x16.swizzle(t4, v128.load(r + stride))),
      i8x16.swizzle(t5, v128.load(r + 2 * stride)),
    );
    const sum = i8x16.add_sat_s(i8x16.add_sat_s(a, b), i8x16.swizzle(t6, v128.load(r + 3 * stride)));
    const isLong = i8x16.ge_s(sum, long);
    const mask = i8x16.bitmask(v128.or(isLong, i8x16.le_s(sum, short)));
    if (mask === 0) continue;
    const lane = ctz(mask);
    if (bar + lane >= end) break;
    return ((bar + lane) << 1) | ((i8x16.bitmask(isLong) >>> lane) & 1);
  }
  return end << 1;
}

/** The same with sums of 16 bits, for thresholds that saturated bytes cannot distinguish. */
function nextSignalWide(tables: usize, states: usize, stride: usize, from: i32, end: i32, least: i32): i32 {
  const short = i16x8.splat(<i16>-least);
  const long = i16x8.splat(<i16>least);
  for (let bar = from; bar < end; bar += 16) {
    const s = states + <usize>bar;
    const a = threePairs(tables, s, stride);
    const b = threePairs(tables + 48, s + 3 * stride, stride);
    const c = i8x16.swizzle(v128.load(tables, 96), v128.load(s + 6 * stride));
    const low = i16x8.add(
      i16x8.add(i16x8.extend_low_i8x16_s(a), i16x8.extend_low_i8x16_s(b)),
      i16x8.extend_low_i8x16_s(c),
    );
    const high = i16x8.add(
      i16x8.add(i16x8.extend_high_i8x16_s(a), i16x8.extend_high_i8x16_s(b)),
      i16x8.extend_high_i8x16_s(c),
    );
    const isLong = i8x16.narrow_i16x8_s(i16x8.ge_s(low, long), i16x8.ge_s(high, long));
    const isShort = i8x16.narrow_i16x8_s(i16x8.le_s(low, short), i16x8.le_s(high, short));
    const mask = i8x16.bitmask(v128.or(isLong, isShort));
    if (mask === 0) continue;
    const lane = ctz(mask);
    if (bar + lane >= end) break;
    return ((bar + lane) << 1) | ((i8x16.bitmask(isLong) >>> lane) & 1);
  }
  return end << 1;
}

function threePairs(tables: usize, states: usize, stride: usize): v128 {
  const a = i8x16.swizzle(v128.load(tables), v128.load(states));
  const b = i8x16.swizzle(v128.load(tables, 16), v128.load(states + stride));
  const c = i8x16.swizzle(v128.load(tables, 32), v128.load(states + 2 * stride));
  return i8x16.add(i8x16.add(a, b), c);
}
