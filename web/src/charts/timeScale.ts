/**
 * Times between candle indices and back. Between two candles the time is interpolated, outside the candles it continues with the length of
 * the first or the last one, so that a point keeps its place when candles are added on either side.
 */

/** The time at an index, also between candles and outside them. @param time open times, at least two */
export function timeOfIndex(time: ArrayLike<number>, index: number): number {
  const at = Math.min(Math.max(Math.floor(index), 0), time.length - 2);
  const from = time[at] ?? NaN;
  return from + (index - at) * ((time[at + 1] ?? NaN) - from);
}

/** The index of a time: the inverse of timeOfIndex. */
export function indexOfTime(time: ArrayLike<number>, ms: number): number {
  let [low, high] = [0, time.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((time[middle] ?? NaN) <= ms) low = middle;
    else high = middle;
  }
  const from = time[low] ?? NaN;
  return low + (ms - from) / ((time[low + 1] ?? NaN) - from);
}
