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
  for (let i = from; i < to; i++) put(series, i, NaN);
}

/** The same value at candles `[from, to)`. */
export function fillWith(series: usize, from: i32, to: i32, value: f64): void {
  const both = f64x2.splat(value);
  let i = from;
  for (; i + 2 <= to; i += 2) v128.store(addressOf(series, i), both);
  if (i < to) put(series, i, value);
}
