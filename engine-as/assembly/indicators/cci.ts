import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, both, first, put2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typical } from '../rolling/typical';
import { windowSum } from '../rolling/windowSum';
import { at, fillUndefined, put } from '../series';

/**
 * A mean deviation below this fraction of the mean is no movement: on a tick grid typical prices are often equal but for
 * the last bit of a division by three, and such dust over itself would read as a breakout.
 */
const DUST: f64 = 1e-12;

/** Lambert's constant: about three quarters of the values fall between -100 and 100. */
const SCALE: f64 = 0.015;

/**
 * Commodity Channel Index: distance of the typical price from its mean, in mean absolute deviations.
 * @param high   f64[length], with `low` and `close` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], no unit; NaN below period - 1; 0 when the window does not move (see DUST)
 * @param from   first candle wanted
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
 * Source: D. Lambert, Commodity Channel Index, Commodities magazine (October 1980).
 */
export function cci(high: usize, low: usize, close: usize, length: i32, period: i32, out: usize, from: i32): i32 {
  fillUndefined(out, min(from, period - 1), min(length, period - 1));
  const begin = max(from, period - 1);
  if (length <= begin) return STATUS_OK;
  const mark = arenaMark();
  const price = arenaReserve((<usize>length) << 3);
  const means = arenaReserve((<usize>length) << 3);
  if (price === 0 || means === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  typical(high, low, close, max(0, from - 2 * period), length, price);
  const status = windowSum(price, length, period, true, means, from);
  if (status === STATUS_OK) distances(price, means, begin, length, period, out);
  arenaRelease(mark);
  return status;
}

/**
 * The index of candles [from, to). Elements of even and of odd age are added apart, oldest first, for each candle by
 * itself: four candles share their loads, and the order of additions does not depend on how they are grouped.
 */
function distances(price: usize, means: usize, from: i32, to: i32, period: i32, out: usize): void {
  const zero = f64x2.splat(0);
  const scale = f64x2.splat(SCALE / <f64>period);
  const dust = f64x2.splat(DUST * <f64>period);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const centre = at2(means, i);
    const nextCentre = at2(means, i + 2);
    const begin = i - period + 1;
    let even = zero;
    let odd = zero;
    let nextEven = zero;
    let nextOdd = zero;
    let a = at2(price, begin);
    let b = at2(price, begin + 1);
    let j = begin;
    for (; j + 2 <= begin + period; j += 2) {
      const c = at2(price, j + 2);
      const d = at2(price, j + 3);
      even = f64x2.add(even, f64x2.abs(f64x2.sub(a, centre)));
      odd = f64x2.add(odd, f64x2.abs(f64x2.sub(b, centre)));
      nextEven = f64x2.add(nextEven, f64x2.abs(f64x2.sub(c, nextCentre)));
      nextOdd = f64x2.add(nextOdd, f64x2.abs(f64x2.sub(d, nextCentre)));
      a = c;
      b = d;
    }
    if (j < begin + period) {
      even = f64x2.add(even, f64x2.abs(f64x2.sub(a, centre)));
      nextEven = f64x2.add(nextEven, f64x2.abs(f64x2.sub(at2(price, j + 2), nextCentre)));
    }
    put2(out, i, ratios(at2(price, i), centre, f64x2.add(even, odd), scale, dust));
    put2(out, i + 2, ratios(at2(price, i + 2), nextCentre, f64x2.add(nextEven, nextOdd), scale, dust));
  }
  for (; i < to; i++) put(out, i, distanceAt(price, at(means, i), i, period, scale, dust));
}

/** One candle, in the same order of additions. */
function distanceAt(price: usize, centre: f64, i: i32, period: i32, scale: v128, dust: v128): f64 {
  const begin = i - period + 1;
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let j = begin; j <= i; j += 2) even += abs(at(price, j) - centre);
  for (let j = begin + 1; j <= i; j += 2) odd += abs(at(price, j) - centre);
  return first(ratios(both(price, i), f64x2.splat(centre), f64x2.splat(even + odd), scale, dust));
}

/** (price - centre) / (SCALE * mean deviation), 0 where nothing but dust deviates. */
function ratios(price: v128, centre: v128, deviationSum: v128, scale: v128, dust: v128): v128 {
  const unit = f64x2.mul(scale, deviationSum);
  return v128.and(f64x2.gt(deviationSum, f64x2.mul(dust, centre)), f64x2.div(f64x2.sub(price, centre), unit));
}
