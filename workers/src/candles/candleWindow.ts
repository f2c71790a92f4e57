/**
 * The one rule for what belongs to a stretch of candles: times in [open of the first candle, end of the last candle). A funding
 * stamped at the end of the last candle belongs to the next one, whose open it is: no position of this window was held through it.
 */
export interface CandleWindow {
  fromMs: number;
  /** Not part of the window itself. */
  untilMs: number;
}

/** @param intervalMs length of the last candle; the distance to the one before it when absent, as the engine takes it */
export function candleWindow(time: ArrayLike<number>, intervalMs?: number): CandleWindow {
  const count = time.length;
  const first = time[0];
  const last = time[count - 1];
  if (first === undefined || last === undefined) return { fromMs: 0, untilMs: 0 };
  return { fromMs: first, untilMs: last + (intervalMs ?? last - (time[count - 2] ?? last)) };
}

export const isWithin = (timeMs: number, { fromMs, untilMs }: CandleWindow): boolean =>
  timeMs >= fromMs && timeMs < untilMs;

interface Fundings {
  time: Float64Array;
  rate: Float64Array;
  mark?: Float64Array;
}

/** The fundings of the window, possibly none. Unknown fundings differ: a caller without a history passes no columns. */
export function fundingWithin({ time, rate, mark }: Fundings, window: CandleWindow): Fundings {
  const isInside = (_: number, i: number): boolean => isWithin(time[i] ?? NaN, window);
  const inside: Fundings = { time: time.filter(isInside), rate: rate.filter(isInside) };
  if (mark !== undefined) inside.mark = mark.filter(isInside);
  return inside;
}
