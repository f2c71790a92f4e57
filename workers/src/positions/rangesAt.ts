import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';

/** The range known at the close of each minute: that of the last candle closed by then. */
export function rangesAt(
  minutes: ArrayLike<number>,
  closesMs: ArrayLike<number>,
  values: ArrayLike<number>,
): Float64Array<ArrayBuffer> {
  let known = -1;
  return Float64Array.from(minutes, (openMs) => {
    while (known + 1 < closesMs.length && (closesMs[known + 1] ?? Infinity) <= openMs + MINUTE_MS) known++;
    return known < 0 ? Number.NaN : (values[known] ?? Number.NaN);
  });
}
