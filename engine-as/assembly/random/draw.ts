/**
 * Counter-based random numbers: draw `index` of stream `key` is a pure function of both, so any chunk of a run can be
 * computed anywhere, in any order, and checked. The sequence index = 0, 1, 2 ... is SplitMix64 started at `key`.
 * Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014); finaliser: Stafford, variant 13.
 */
const GOLDEN_GAMMA: u64 = 0x9e3779b97f4a7c15;
const TWO_POW_MINUS_53: f64 = 1.1102230246251565e-16;

/** Bijection of u64: every bit of `x` moves every bit of the result. */
export function mix64(x: u64): u64 {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

export function randomDraw(key: u64, index: u64): u64 {
  return mix64(key + (index + 1) * GOLDEN_GAMMA);
}

/** Key of sub-stream `stream` of `seed`. Two different streams of one seed never overlap in practice (2^64 keys). */
export function streamKey(seed: u64, stream: u64): u64 {
  return randomDraw(seed, stream);
}

/** Uniform in [0, 1) with 53 random bits. */
export function uniformOf(bits: u64): f64 {
  return <f64>(bits >> 11) * TWO_POW_MINUS_53;
}

/** Uniform in (0, 1): safe as the argument of a quantile function, symmetric about 1/2. */
export function openUniformOf(bits: u64): f64 {
  return (<f64>(bits >> 12) + 0.5) * 2.220446049250313e-16;
}

/**
 * Uniform integer in [0, bound) without bias, bound >= 1.
 * Source: Lemire, Fast Random Integer Generation in an Interval (ACM TOMACS 2019), on the upper 32 bits. A rejected
 * draw is mixed on, so that neighbouring indices are not used up and stay reproducible.
 */
export function randomBelow(key: u64, index: u64, bound: u32): u32 {
  let bits = randomDraw(key, index);
  let product = (bits >> 32) * <u64>bound;
  if (<u32>product < bound) {
    const rejectBelow = (<u32>0 - bound) % bound;
    while (<u32>product < rejectBelow) {
      bits = mix64(bits + GOLDEN_GAMMA);
      product = (bits >> 32) * <u64>bound;
    }
  }
  return <u32>(product >> 32);
}

/** Draws `count` uniforms of stream `stream` of `seed` into f64[count], so that the host sees the draws of the kernels. */
export function randomUniforms(seed: u64, stream: u64, from: u64, count: i32, out: usize): void {
  const key = streamKey(seed, stream);
  for (let i = 0; i < count; i++) store<f64>(out + ((<usize>i) << 3), uniformOf(randomDraw(key, from + <u64>i)));
}
