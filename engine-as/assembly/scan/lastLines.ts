import * as preset from '../../abi/defaults';
import { at2, first, larger, second, smaller } from '../lanes';
import { put } from '../series';

/**
 * The Ichimoku lines of candle `last` alone, written where ichimoku() writes them. An extreme does not depend on the search order, so the
 * bits are the same. `last` must be past the warm-up of the cloud.
 */
export function lastLines(
  high: usize,
  low: usize,
  last: i32,
  tenkan: usize,
  kijun: usize,
  spanA: usize,
  spanB: usize,
): void {
  const before = last - (preset.ICHIMOKU_DISPLACEMENT - 1);
  put(tenkan, last, middle(high, low, last, preset.ICHIMOKU_TENKAN));
  put(kijun, last, middle(high, low, last, preset.ICHIMOKU_KIJUN));
  const quick = middle(high, low, before, preset.ICHIMOKU_TENKAN);
  put(spanA, last, 0.5 * (quick + middle(high, low, before, preset.ICHIMOKU_KIJUN)));
  put(spanB, last, middle(high, low, before, preset.ICHIMOKU_SPAN));
}

/** (highest high + lowest low) / 2 of the `period` candles up to `last`, period >= 2. */
function middle(high: usize, low: usize, last: i32, period: i32): f64 {
  const begin = last - period + 1;
  // The two newest candles first; an odd period reads one candle twice.
  let top = at2(high, last - 1);
  let bottom = at2(low, last - 1);
  for (let i = begin; i < last - 1; i += 2) {
    top = f64x2.pmax(top, at2(high, i));
    bottom = f64x2.pmin(bottom, at2(low, i));
  }
  return 0.5 * (larger(first(top), second(top)) + smaller(first(bottom), second(bottom)));
}
