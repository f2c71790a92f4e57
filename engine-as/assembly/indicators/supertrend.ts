import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { half, one } from '../constants';
import { both, first } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { SMOOTHING_STATE } from '../rolling/smoothing';
import { addressOf, at, fillUndefined, put } from '../series';
import { atr } from './atr';

/** The ATR's smoothing, then: next candle of the bands (0: not started), upper band, lower band, direction. */
export const SUPERTREND_STATE = SMOOTHING_STATE + 4;

const last = memory.data(32, 8); // bands of the last candles, which the next call computes again

/**
 * Supertrend: a stop line that follows price at `multiple` ATRs and changes side when the close crosses it.
 * The first direction is up when the close is not below the middle of its candle.
 * @param line      f64[length], quote currency; NaN below `period`
 * @param direction f64[length], 1 with the line below price, -1 above; NaN below `period`
 * @param state     f64[SUPERTREND_STATE], cleared before the first call
 */
export function supertrend(
  high: usize,
  low: usize,
  close: usize,
  length: i32,
  period: i32,
  multiple: f64,
  line: usize,
  direction: usize,
  state: usize,
): i32 {
  const mark = arenaMark();
  const ranges = arenaReserve((<usize>length) << 3);
  if (ranges === 0) return STATUS_OUT_OF_MEMORY;
  atr(high, low, close, length, period, ranges, state);
  const bands = addressOf(state, SMOOTHING_STATE);
  if (at(bands, 0) === 0) {
    fillUndefined(line, 0, min(length, period));
    fillUndefined(direction, 0, min(length, period));
  }
  // The stored state ends where the ATR resumes; the next call computes the candles after it again.
  const anchor = <i32>at(state, 0);
  if (anchor > 0) {
    follow(high, low, close, ranges, anchor, period, multiple, line, direction, bands);
    memory.copy(last, bands, 32);
    follow(high, low, close, ranges, length, period, multiple, line, direction, last);
  } else if (length > period) {
    memory.fill(last, 0, 32);
    follow(high, low, close, ranges, length, period, multiple, line, direction, last);
  }
  arenaRelease(mark);
  return STATUS_OK;
}

/** Moves both bands and the direction over candles [bands[0], to). */
function follow(
  high: usize,
  low: usize,
  close: usize,
  ranges: usize,
  to: i32,
  period: i32,
  multiple: f64,
  line: usize,
  direction: usize,
  bands: usize,
): void {
  let i = <i32>at(bands, 0);
  let upper = f64x2.splat(at(bands, 1));
  let lower = f64x2.splat(at(bands, 2));
  let side = f64x2.splat(at(bands, 3));
  if (i === 0) {
    i = period;
    upper = f64x2.splat(Infinity);
    lower = f64x2.splat(-Infinity);
    side = f64x2.splat(at(close, i) >= 0.5 * (at(high, i) + at(low, i)) ? 1 : -1);
  }
  const centre = half();
  const up = one();
  const down = f64x2.neg(up);
  const width = f64x2.splat(multiple);
  let isUp = f64x2.gt(side, f64x2.splat(0));
  // Both lanes hold the same numbers: selecting is cheaper than a branch that depends on the market.
  for (; i < to; i++) {
    const middle = f64x2.mul(centre, f64x2.add(both(high, i), both(low, i)));
    const reach = f64x2.mul(width, both(ranges, i));
    const before = both(close, i - 1);
    const price = both(close, i);
    const top = f64x2.add(middle, reach);
    const bottom = f64x2.sub(middle, reach);
    // A band only tightens, until a close beyond it lets it start again.
    upper = v128.bitselect(top, f64x2.pmin(upper, top), f64x2.gt(before, upper));
    lower = v128.bitselect(bottom, f64x2.pmax(lower, bottom), f64x2.lt(before, lower));
    isUp = v128.bitselect(f64x2.ge(price, lower), f64x2.gt(price, upper), isUp);
    v128.store64_lane(addressOf(line, i), v128.bitselect(lower, upper, isUp), 0);
    v128.store64_lane(addressOf(direction, i), v128.bitselect(up, down, isUp), 0);
  }
  put(bands, 0, <f64>i);
  put(bands, 1, first(upper));
  put(bands, 2, first(lower));
  put(bands, 3, first(v128.bitselect(up, down, isUp)));
}
