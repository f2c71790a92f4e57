/** Element `index` of the f64 column at `series`. */
export function at(series: usize, index: i32): f64 {
  return load<f64>(series + ((<usize>index) << 3));
}

export function put(series: usize, index: i32, value: f64): void {
  store<f64>(series + ((<usize>index) << 3), value);
}

/** Address of element `index`. */
export function addressOf(series: usize, index: i32): usize {
  return series + ((<usize>index) << 3);
}

/** Marks candles `[from, to)` as not available, so index i means candle i in every series. */
export function fillUndefined(series: usize, from: i32, to: i32): void {
  let i = from;
  for (; i + 2 <= to; i += 2) v128.store(addressOf(series, i), f64x2.splat(NaN));
  if (i < to) put(series, i, NaN);
}

/**
 * The same value at candles `[from, to)`, four at a time. Up to three candles after `to` (below `limit`) are written too:
 * for columns that are filled from left to right, stretch by stretch.
 */
export function fillStretch(series: usize, from: i32, to: i32, limit: i32, value: f64): void {
  const both = f64x2.splat(value);
  let i = from;
  for (; i < to && i + 4 <= limit; i += 4) {
    const address = addressOf(series, i);
    v128.store(address, both);
    v128.store(address, both, 16);
  }
  for (; i < to; i++) put(series, i, value);
}
