import { STATUS_OK } from '../../abi/status';
import { rollingMax, rollingMin } from '../rolling/extreme';
import { addressOf, fillUndefined } from '../series';

/**
 * Donchian channel of the `period` candles BEFORE the current one, so that a close can break out of it.
 * @param high   f64[length], with `low` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param upper  f64[length], with `lower` in quote currency; NaN below `period`
 * @param from   first candle wanted
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function donchian(
  high: usize,
  low: usize,
  length: i32,
  period: i32,
  upper: usize,
  lower: usize,
  from: i32,
): i32 {
  fillUndefined(upper, min(from, 1), min(length, 1));
  fillUndefined(lower, min(from, 1), min(length, 1));
  if (length < 2) return STATUS_OK;
  const wanted = max(0, from - 1);
  const status = rollingMax(high, length - 1, period, addressOf(upper, 1), wanted);
  if (status !== STATUS_OK) return status;
  return rollingMin(low, length - 1, period, addressOf(lower, 1), wanted);
}
