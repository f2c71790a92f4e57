// f64x2 in words. pmax and pmin are one instruction where max and min cost branches; a, b must not be NaN.

export function low(v: v128): v128 {
  return i8x16.shuffle(v, v, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
}

export function high(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
}

export function swap(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
}

/** (a, b) */
export function pair(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b);
}

/** (low of a, low of b) */
export function lows(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}

/** (high of a, high of b) */
export function highs(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

/** (v0, v0 + v1): running sum of the two lanes. */
export function runningSum(v: v128): v128 {
  return f64x2.add(v, lows(f64x2.splat(0), v));
}

/** (v0 + v1, v1): running sum from the right. */
export function runningSumBack(v: v128): v128 {
  return f64x2.add(v, i8x16.shuffle(v, f64x2.splat(0), 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
}

export function first(v: v128): f64 {
  return f64x2.extract_lane(v, 0);
}

export function second(v: v128): f64 {
  return f64x2.extract_lane(v, 1);
}

/** Two neighbours from `index` on. */
export function at2(series: usize, index: i32): v128 {
  return v128.load(series + ((<usize>index) << 3));
}

export function put2(series: usize, index: i32, value: v128): void {
  v128.store(series + ((<usize>index) << 3), value);
}

/** The same element in both lanes. */
export function both(series: usize, index: i32): v128 {
  return v128.load64_splat(series + ((<usize>index) << 3));
}

export function larger(a: f64, b: f64): f64 {
  return first(f64x2.pmax(f64x2.splat(a), f64x2.splat(b)));
}

export function smaller(a: f64, b: f64): f64 {
  return first(f64x2.pmin(f64x2.splat(a), f64x2.splat(b)));
}
