import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { larger, smaller } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { SMOOTHING_STATE } from '../rolling/smoothing';
import { addressOf, at, fillUndefined, put } from '../series';
import { atr } from './atr';

/** The ATR's smoothing, then: next candle of the bands (0: not begun), upper band, lower band, direction. */
export const SUPERTREND_STATE = SMOOTHING_STATE + 4;

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
  // What is kept stands where the ATR will resume; the candles after it are computed again by the next call.
  const anchor = <i32>at(state, 0);
  if (anchor > 0) {
    follow(high, low, close, ranges, anchor, period, multiple, line, direction, bands);
    const last = memory.data(32, 8);
    memory.copy(last, bands, 32);
    follow(high, low, close, ranges, length, period, multiple, line, direction, last);
  } else if (length > period) {
    const last = memory.data(32, 8);
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
  let upper = at(bands, 1);
  let lower = at(bands, 2);
  let side = at(bands, 3);
  if (i === 0) {
    i = period;
    upper = Infinity;
    lower = -Infinity;
    side = at(close, i) >= 0.5 * (at(high, i) + at(low, i)) ? 1 : -1;
  }
  for (; i < to; i++) {
    const middle = 0.5 * (at(high, i) + at(low, i));
    const reach = multiple * at(ranges, i);
    const before = at(close, i - 1);
    // A band only tightens, until a close beyond it lets it start again.
    upper = before > upper ? middle + reach : smaller(middle + reach, upper);
    lower = before < lower ? middle - reach : larger(middle - reach, lower);
    const price = at(close, i);
    if (side > 0) side = price < lower ? -1 : 1;
    else side = price > upper ? 1 : -1;
    put(line, i, side > 0 ? lower : upper);
    put(direction, i, side);
  }
  put(bands, 0, <f64>i);
  put(bands, 1, upper);
  put(bands, 2, lower);
  put(bands, 3, side);
}
