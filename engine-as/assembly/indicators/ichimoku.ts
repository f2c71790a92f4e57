import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { rollingMax, rollingMin } from '../rolling/extreme';
import { addressOf, at, fillUndefined, put } from '../series';

/**
 * Ichimoku lines as they are known at each candle. The cloud drawn above candle i was computed `displacement` - 1
 * candles earlier (the current candle counts, as on TradingView), so both spans lag instead of leading. The lagging
 * span (Chikou) is the close drawn in the past: it holds nothing that is not known later, and is left out.
 * @param high   f64[length], with `low` in quote currency; periods 1..PERIOD_MAX, displacement 1..PERIOD_MAX
 * @param tenkan f64[length], middle of the last tenkanPeriod candles; NaN below tenkanPeriod - 1
 * @param kijun  f64[length], the same of kijunPeriod
 * @param spanA  f64[length], mean of tenkan and kijun, displaced
 * @param spanB  f64[length], middle of the last spanPeriod candles, displaced
 * @param from   first candle wanted; the lines of earlier calls must still be in place
 * Source: G. Hosoda, Ichimoku Kinko Hyo (1969).
 */
export function ichimoku(
  high: usize,
  low: usize,
  length: i32,
  tenkanPeriod: i32,
  kijunPeriod: i32,
  spanPeriod: i32,
  displacement: i32,
  tenkan: usize,
  kijun: usize,
  spanA: usize,
  spanB: usize,
  from: i32,
): i32 {
  let status = rollingMiddle(high, low, length, tenkanPeriod, tenkan, from);
  if (status === STATUS_OK) status = rollingMiddle(high, low, length, kijunPeriod, kijun, from);
  if (status !== STATUS_OK) return status;
  const lag = displacement - 1;
  fillUndefined(spanA, min(from, lag), min(length, lag));
  fillUndefined(spanB, min(from, lag), min(length, lag));
  if (length <= lag) return STATUS_OK;
  for (let i = max(from, lag); i < length; i++) put(spanA, i, 0.5 * (at(tenkan, i - lag) + at(kijun, i - lag)));
  return rollingMiddle(high, low, length - lag, spanPeriod, addressOf(spanB, lag), max(0, from - lag));
}

/** Half of the highest high plus the lowest low of the last `period` candles. */
export function rollingMiddle(high: usize, low: usize, length: i32, period: i32, out: usize, from: i32): i32 {
  const mark = arenaMark();
  const lowest = arenaReserve((<usize>length) << 3);
  if (lowest === 0) return STATUS_OUT_OF_MEMORY;
  let status = rollingMax(high, length, period, out, from);
  if (status === STATUS_OK) status = rollingMin(low, length, period, lowest, from);
  if (status === STATUS_OK) {
    for (let i = max(from, period - 1); i < length; i++) put(out, i, 0.5 * (at(out, i) + at(lowest, i)));
  }
  arenaRelease(mark);
  return status;
}
