/** 1.5 x 2^52: adding it leaves the nearest integer in the low bits, many times cheaper than a conversion. */
const MAGIC: f64 = 6755399441055744.0;
const LIMIT: f64 = 32765.0;

/**
 * Two prices (in the lanes of `prices`) as steps from the middle price, i32 in lanes 0 and 2, within -32766..32766. Rounding is monotone
 * and the same for bars and levels: steps order as the exact prices do, or tie. So a reached level is always found, and each hit is checked
 * exactly afterwards.
 */
export function stepsOf(prices: v128, scale: usize): v128 {
  const raw = f64x2.mul(f64x2.sub(prices, v128.load64_splat(scale)), v128.load64_splat(scale, 8));
  const low = f64x2.pmax(f64x2.splat(-32766.0), raw); // pmax(a, b) is a < b ? b : a, so NaN becomes the bound
  return f64x2.add(f64x2.pmin(f64x2.splat(32766.0), low), f64x2.splat(MAGIC));
}

/** Steps per unit of price so that prices from `lowest` to `highest` stay inside the limit; 1 when they do not differ. */
export function writeScale(lowest: f64, highest: f64, divergence: f64, scale: usize): void {
  const half = (highest - lowest) * 0.5;
  store<f64>(scale, lowest + half);
  store<f64>(scale, half > 0 ? LIMIT / half : 1.0, 8);
  store<f64>(scale, lowest, 16);
  store<f64>(scale, divergence, 24);
}

export function lowestOf(scale: usize): f64 {
  return load<f64>(scale, 16);
}

/** Largest part of the price by which the mark price of a bar lies beyond its last price, 0 without mark prices. */
export function divergenceOf(scale: usize): f64 {
  return load<f64>(scale, 24);
}

/** First bar from `from` on whose low is at most `low` or high at least `high`, both in steps; the padding always is. */
export function nextTouch(lows: usize, highs: usize, from: i32, low: i32, high: i32): i32 {
  const below = i16x8.splat(<i16>(low + 1));
  const above = i16x8.splat(<i16>(high - 1));
  let at = (<usize>from) << 1; // bytes
  let mask = touched(lows + at, highs + at, below, above);
  while (mask === 0) {
    at += 32;
    mask = touched(lows + at, highs + at, below, above);
  }
  return <i32>(at >> 1) + ctz(mask);
}

/** One bit for each of sixteen bars. */
function touched(lows: usize, highs: usize, below: v128, above: v128): i32 {
  const a = v128.or(i16x8.gt_s(below, v128.load(lows)), i16x8.gt_s(v128.load(highs), above));
  const b = v128.or(i16x8.gt_s(below, v128.load(lows, 16)), i16x8.gt_s(v128.load(highs, 16), above));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
}
