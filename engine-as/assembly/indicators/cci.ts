import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, first, second } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typical } from '../rolling/typical';
import { windowSum } from '../rolling/windowSum';
import { at, fillUndefined, put } from '../series';

/** Lambert's constant: about three quarters of the values fall between -100 and 100. */
const SCALE: f64 = 0.015;

/**
 * Commodity Channel Index: distance of the typical price from its mean, in mean absolute deviations.
 * @param high   f64[length], with `low` and `close` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], no unit; NaN below period - 1; 0 when the window does not move
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
  if (status === STATUS_OK) {
    for (let i = begin; i < length; i++) {
      const mean = at(means, i);
      const deviation = deviationSum(price, i - period + 1, i + 1, mean) / <f64>period;
      put(out, i, deviation > 0 ? (at(price, i) - mean) / (SCALE * deviation) : 0);
    }
  }
  arenaRelease(mark);
  return status;
}

/** Sum of |x - mean| over [from, to). */
function deviationSum(x: usize, from: i32, to: i32, mean: f64): f64 {
  const centre = f64x2.splat(mean);
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  let j = from;
  for (; j + 4 <= to; j += 4) {
    even = f64x2.add(even, f64x2.abs(f64x2.sub(at2(x, j), centre)));
    odd = f64x2.add(odd, f64x2.abs(f64x2.sub(at2(x, j + 2), centre)));
  }
  const sums = f64x2.add(even, odd);
  let sum = first(sums) + second(sums);
  for (; j < to; j++) sum += abs(at(x, j) - mean);
  return sum;
}
