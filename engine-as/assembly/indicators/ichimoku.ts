import { STATUS_OK } from '../../abi/status';
import { half } from '../constants';
import { at2, put2 } from '../lanes';
import { rollingMiddles } from '../rolling/middle';
import { at, fillUndefined, put } from '../series';

const plan = memory.data(36, 8); // three rows of period, out, lag

/**
 * Ichimoku lines as they are known at each candle. The cloud drawn above candle i was computed `displacement` - 1 candles earlier (the
 * current candle counts, as on TradingView), so both spans lag instead of leading. The lagging span (Chikou) is the close drawn in the
 * past: it adds no information and is left out.
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
  const lag = displacement - 1;
  planRow(tenkanPeriod, tenkan, 0, 0);
  planRow(kijunPeriod, kijun, 0, 1);
  planRow(spanPeriod, spanB, lag, 2);
  const status = rollingMiddles(high, low, length, plan, from);
  if (status !== STATUS_OK) return status;
  fillUndefined(spanA, min(from, lag), min(length, lag));
  spans(tenkan, kijun, lag, max(from, lag), length, spanA);
  return STATUS_OK;
}

/** Puts row `rows` into the plan so that look-backs ascend. */
function planRow(period: i32, out: usize, lag: i32, rows: i32): void {
  let row = plan + <usize>rows * 12;
  while (row > plan && load<i32>(row - 12) > period) {
    memory.copy(row, row - 12, 12);
    row -= 12;
  }
  store<i32>(row, period);
  store<usize>(row, out, 4);
  store<i32>(row, lag, 8);
}

/** Mean of both lines `lag` candles before. */
function spans(tenkan: usize, kijun: usize, lag: i32, from: i32, to: i32, out: usize): void {
  const centre = half();
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, f64x2.mul(centre, f64x2.add(at2(tenkan, i - lag), at2(kijun, i - lag))));
  if (i < to) put(out, i, 0.5 * (at(tenkan, i - lag) + at(kijun, i - lag)));
}
