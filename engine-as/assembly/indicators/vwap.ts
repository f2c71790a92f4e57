import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { first, pair, second } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typicalAt } from '../rolling/typical';
import { windowSum } from '../rolling/windowSum';
import { at, put } from '../series';

/** Slots of `state`: next candle, UTC day, sum of typical price x volume, sum of volume. */
export const VWAP_STATE = 4;

const DAY_MS: f64 = 86400000;

/**
 * Volume-weighted average of the typical price since the UTC midnight before the candle's open.
 * @param time  f64[length], open of the candle, epoch ms
 * @param out   f64[length], quote currency, defined from candle 0; the typical price while nothing has traded
 * @param state f64[VWAP_STATE], cleared before the first call
 */
export function sessionVwap(
  time: usize,
  high: usize,
  low: usize,
  close: usize,
  volume: usize,
  length: i32,
  out: usize,
  state: usize,
): void {
  let i = <i32>at(state, 0);
  let day = at(state, 1);
  let sums = pair(at(state, 2), at(state, 3));
  for (; i < length; i++) {
    const today = floor(at(time, i) / DAY_MS);
    if (today !== day || i === 0) sums = f64x2.splat(0);
    day = today;
    const price = typicalAt(high, low, close, i);
    sums = f64x2.add(sums, f64x2.mul(pair(price, 1), f64x2.splat(at(volume, i))));
    put(out, i, averageOf(first(sums), second(sums), price));
  }
  put(state, 0, <f64>i);
  put(state, 1, day);
  put(state, 2, first(sums));
  put(state, 3, second(sums));
}

/**
 * The same over the last `period` candles.
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], quote currency; NaN below period - 1; the typical price when nothing traded in the window
 * @param from   first candle wanted
 */
export function rollingVwap(
  high: usize,
  low: usize,
  close: usize,
  volume: usize,
  length: i32,
  period: i32,
  out: usize,
  from: i32,
): i32 {
  const mark = arenaMark();
  const turnover = arenaReserve((<usize>length) << 3);
  const traded = arenaReserve((<usize>length) << 3);
  if (turnover === 0 || traded === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  for (let i = max(0, from - 2 * period); i < length; i++) {
    put(turnover, i, typicalAt(high, low, close, i) * at(volume, i));
  }
  let status = windowSum(turnover, length, period, false, out, from);
  if (status === STATUS_OK) status = windowSum(volume, length, period, false, traded, from);
  if (status === STATUS_OK) {
    // The window sums begin on a block, so candles just before `from` were replaced by sums and become averages again.
    for (let i = max(period - 1, (max(from, period - 1) / period) * period); i < length; i++) {
      put(out, i, averageOf(at(out, i), at(traded, i), typicalAt(high, low, close, i)));
    }
  }
  arenaRelease(mark);
  return status;
}

function averageOf(turnover: f64, traded: f64, price: f64): f64 {
  return traded > 0 ? turnover / traded : price;
}
