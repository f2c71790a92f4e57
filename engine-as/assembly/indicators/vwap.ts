import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { three } from '../constants';
import { at2, first, high as upper, put2, runningSum } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typical, typicalAt, typicalAt2 } from '../rolling/typical';
import { windowSum } from '../rolling/windowSum';
import { at, fillUndefined, put } from '../series';

/** Slots of `state`: first candle of the next step, end of its UTC day in ms, sums of turnover and volume before it. */
export const VWAP_STATE = 4;

const DAY_MS: f64 = 86400000;

/**
 * Volume-weighted average of the typical price since the UTC midnight before the candle's open. Two candles a step,
 * counted from the first candle of the day.
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
  let dayEnd = i === 0 ? -Infinity : at(state, 1);
  let turnover = f64x2.splat(at(state, 2));
  let traded = f64x2.splat(at(state, 3));
  const thirds = three();
  let isLast = i >= length;
  while (!isLast) {
    if (at(time, i) >= dayEnd) {
      dayEnd = (floor(at(time, i) / DAY_MS) + 1) * DAY_MS;
      turnover = f64x2.splat(0);
      traded = f64x2.splat(0);
    }
    const begin = i;
    for (; i + 2 <= length && at(time, i + 1) < dayEnd; i += 2) {
      const price = typicalAt2(high, low, close, i, thirds);
      const volumes = at2(volume, i);
      const turnovers = f64x2.add(turnover, runningSum(f64x2.mul(price, volumes)));
      const totals = f64x2.add(traded, runningSum(volumes));
      put2(out, i, averages(turnovers, totals, price));
      turnover = upper(turnovers);
      traded = upper(totals);
    }
    isLast = i + 1 >= length;
    if (isLast) break;
    if (at(time, i) < dayEnd || i === begin) {
      // The day ends with a single candle: the next one is already of another day. A time so large that its day has no
      // end in a double must not hold the loop either.
      single(high, low, close, volume, i, first(turnover), first(traded), out);
      i++;
    }
  }
  put(state, 0, <f64>i);
  put(state, 1, dayEnd);
  put(state, 2, first(turnover));
  put(state, 3, first(traded));
  if (i >= length) return;
  // The loop ended before it checked whether the last candle opens a new day; the next call checks again.
  const isNewDay = at(time, i) >= dayEnd;
  single(high, low, close, volume, i, isNewDay ? 0 : first(turnover), isNewDay ? 0 : first(traded), out);
}

/** A candle without a second one in its step. */
function single(
  high: usize,
  low: usize,
  close: usize,
  volume: usize,
  i: i32,
  turnover: f64,
  traded: f64,
  out: usize,
): void {
  const price = typicalAt(high, low, close, i);
  put(out, i, average(turnover + price * at(volume, i), traded + at(volume, i), price));
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
  const price = arenaReserve((<usize>length) << 3);
  const turnover = arenaReserve((<usize>length) << 3);
  const turnovers = arenaReserve((<usize>length) << 3);
  const totals = arenaReserve((<usize>length) << 3);
  if (price === 0 || turnover === 0 || turnovers === 0 || totals === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  const begin = max(0, from - 2 * period);
  typical(high, low, close, begin, length, price);
  for (let i = begin; i < length; i++) put(turnover, i, at(price, i) * at(volume, i));
  let status = windowSum(turnover, length, period, false, turnovers, from);
  if (status === STATUS_OK) status = windowSum(volume, length, period, false, totals, from);
  if (status === STATUS_OK) {
    fillUndefined(out, min(from, period - 1), min(length, period - 1));
    for (let i = max(from, period - 1); i < length; i++) {
      put(out, i, average(at(turnovers, i), at(totals, i), at(price, i)));
    }
  }
  arenaRelease(mark);
  return status;
}

function average(turnover: f64, traded: f64, price: f64): f64 {
  return traded > 0 ? turnover / traded : price;
}

function averages(turnover: v128, traded: v128, price: v128): v128 {
  return v128.bitselect(f64x2.div(turnover, traded), price, f64x2.gt(traded, f64x2.splat(0)));
}
