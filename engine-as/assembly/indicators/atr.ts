import { at2, larger, put2, smaller } from '../lanes';
import { meanOf, smooth } from '../rolling/smoothing';
import { at, fillUndefined, put } from '../series';

/**
 * Average True Range with Wilder smoothing; the seed is the mean of the first `period` true ranges (candles 1..period).
 * @param high   f64[length], with `low` and `close` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], quote currency; NaN below `period`
 * @param state  f64[SMOOTHING_STATE], cleared before the first call
 * Source: Wilder (1978), section III.
 */
export function atr(high: usize, low: usize, close: usize, length: i32, period: i32, out: usize, state: usize): void {
  const anchor = <i32>load<f64>(state);
  if (anchor === 0) {
    if (length > period) {
      trueRange(high, low, close, 1, length, out);
      put(out, period, meanOf(out, 1, period));
    }
    fillUndefined(out, 0, min(length, period));
    if (length <= period) return;
  } else {
    trueRange(high, low, close, anchor, length, out);
  }
  // The ranges lie where the means will be: smoothing reads each before it replaces it.
  smooth(out, length, period + 1, at(out, period), 1.0 / <f64>period, state, out);
}

/** max(high, previous close) - min(low, previous close) of candles [from, to), from >= 1. */
export function trueRange(high: usize, low: usize, close: usize, from: i32, to: i32, out: usize): void {
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const before = at2(close, i - 1);
    put2(out, i, f64x2.sub(f64x2.pmax(at2(high, i), before), f64x2.pmin(at2(low, i), before)));
  }
  if (i < to) put(out, i, larger(at(high, i), at(close, i - 1)) - smaller(at(low, i), at(close, i - 1)));
}
