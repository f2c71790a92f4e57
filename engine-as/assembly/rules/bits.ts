import * as abi from '../../abi/ruleProgram';
import { trueOf } from './elements';

// Conditions as bits, sixteen candles a step: which are true, and which are false; neither where undefined. Bits after the last candle
// mean nothing. Columns have room for whole steps of sixteen.

/** Operations whose bits need no column of their own. */
export function isOfBits(op: i32): bool {
  return (op >= abi.OP_LT && op <= abi.OP_NOT) || op === abi.OP_CROSSOVER || op === abi.OP_CROSSUNDER;
}

/** LT to NE of two columns. @param words of each of the two results */
export function compareBits(op: i32, a: usize, b: usize, count: i32, isTrue: usize, isFalse: usize): void {
  if (op === abi.OP_LT) lessBits(a, b, count, isTrue, isFalse);
  else if (op === abi.OP_GE) lessBits(a, b, count, isFalse, isTrue);
  else if (op === abi.OP_GT) lessBits(b, a, count, isTrue, isFalse);
  else if (op === abi.OP_LE) lessBits(b, a, count, isFalse, isTrue);
  else if (op === abi.OP_EQ) equalBits(a, b, count, isTrue, isFalse);
  else equalBits(a, b, count, isFalse, isTrue);
}

/** a < b, and a >= b. */
function lessBits(a: usize, b: usize, count: i32, isLess: usize, isNot: usize): void {
  for (let i = 0; i < count; i += 16) {
    const at = (<usize>i) << 3;
    store<u16>(isLess + (<usize>i >> 3), <u16>less16(a + at, b + at));
    store<u16>(isNot + (<usize>i >> 3), <u16>lessOrEqual16(b + at, a + at));
  }
}

function equalBits(a: usize, b: usize, count: i32, isEqual: usize, isOther: usize): void {
  for (let i = 0; i < count; i += 16) {
    const at = (<usize>i) << 3;
    const notLess = lessOrEqual16(b + at, a + at);
    const notMore = lessOrEqual16(a + at, b + at);
    store<u16>(isEqual + (<usize>i >> 3), <u16>(notLess & notMore));
    store<u16>(isOther + (<usize>i >> 3), <u16>(notLess ^ notMore));
  }
}

/** Bits of a column: neither 0 nor NaN is true, 0 is false. */
export function columnBits(column: usize, count: i32, isTrue: usize, isFalse: usize): void {
  const zero = f64x2.splat(0);
  for (let i = 0; i < count; i += 16) {
    const x = column + ((<usize>i) << 3);
    const truths = pack(
      trueOf(v128.load(x), zero),
      trueOf(v128.load(x, 16), zero),
      trueOf(v128.load(x, 32), zero),
      trueOf(v128.load(x, 48), zero),
      trueOf(v128.load(x, 64), zero),
      trueOf(v128.load(x, 80), zero),
      trueOf(v128.load(x, 96), zero),
      trueOf(v128.load(x, 112), zero),
    );
    const zeros = pack(
      f64x2.eq(v128.load(x), zero),
      f64x2.eq(v128.load(x, 16), zero),
      f64x2.eq(v128.load(x, 32), zero),
      f64x2.eq(v128.load(x, 48), zero),
      f64x2.eq(v128.load(x, 64), zero),
      f64x2.eq(v128.load(x, 80), zero),
      f64x2.eq(v128.load(x, 96), zero),
      f64x2.eq(v128.load(x, 112), zero),
    );
    store<u16>(isTrue + (<usize>i >> 3), <u16>truths);
    store<u16>(isFalse + (<usize>i >> 3), <u16>zeros);
  }
}

/**
 * a crosses above b: a > b and a[1] <= b[1]; the first candle has no candle before it, so it is at most false. Two series that cross are
 * compared once each way; a word takes the last bit of the word before.
 */
export function crossingBits(above: usize, below: usize, count: i32, words: i32, isTrue: usize, isFalse: usize): void {
  // First the plain comparison: true where above, false where not.
  lessBits(below, above, count, isTrue, isFalse);
  let wasAbove: u64 = 0;
  let wasNot: u64 = 0;
  for (let w = 0; w < words; w++) {
    const at = (<usize>w) << 3;
    const isAbove = load<u64>(isTrue + at);
    const isNot = load<u64>(isFalse + at);
    store<u64>(isTrue + at, isAbove & ((isNot << 1) | wasNot));
    store<u64>(isFalse + at, isNot | ((isAbove << 1) | wasAbove));
    wasAbove = isAbove >> 63;
    wasNot = isNot >> 63;
  }
}

/** AND, OR and NOT by Kleene. @param aTrue, bTrue true bits; the false ones follow after `words` */
export function logicBits(op: i32, a: usize, b: usize, words: i32, out: usize): void {
  const half = (<usize>words) << 3;
  for (let w: usize = 0; w < half; w += 8) {
    const aTrue = load<u64>(a + w);
    const aFalse = load<u64>(a + half + w);
    if (op === abi.OP_NOT) {
      store<u64>(out + w, aFalse);
      store<u64>(out + half + w, aTrue);
      continue;
    }
    const bTrue = load<u64>(b + w);
    const bFalse = load<u64>(b + half + w);
    const isAnd = op === abi.OP_AND;
    store<u64>(out + w, isAnd ? aTrue & bTrue : aTrue | bTrue);
    store<u64>(out + half + w, isAnd ? aFalse | bFalse : aFalse & bFalse);
  }
}

function less16(a: usize, b: usize): i32 {
  return pack(
    f64x2.lt(v128.load(a), v128.load(b)),
    f64x2.lt(v128.load(a, 16), v128.load(b, 16)),
    f64x2.lt(v128.load(a, 32), v128.load(b, 32)),
    f64x2.lt(v128.load(a, 48), v128.load(b, 48)),
    f64x2.lt(v128.load(a, 64), v128.load(b, 64)),
    f64x2.lt(v128.load(a, 80), v128.load(b, 80)),
    f64x2.lt(v128.load(a, 96), v128.load(b, 96)),
    f64x2.lt(v128.load(a, 112), v128.load(b, 112)),
  );
}

function lessOrEqual16(a: usize, b: usize): i32 {
  return pack(
    f64x2.le(v128.load(a), v128.load(b)),
    f64x2.le(v128.load(a, 16), v128.load(b, 16)),
    f64x2.le(v128.load(a, 32), v128.load(b, 32)),
    f64x2.le(v128.load(a, 48), v128.load(b, 48)),
    f64x2.le(v128.load(a, 64), v128.load(b, 64)),
    f64x2.le(v128.load(a, 80), v128.load(b, 80)),
    f64x2.le(v128.load(a, 96), v128.load(b, 96)),
    f64x2.le(v128.load(a, 112), v128.load(b, 112)),
  );
}

/** One bit for each of sixteen masks. */
function pack(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): i32 {
  const first = i16x8.narrow_i32x4_s(halves(a, b), halves(c, d));
  const second = i16x8.narrow_i32x4_s(halves(e, f), halves(g, h));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(first, second));
}

/** The lower half of each of four masks. */
function halves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
}

/** First bit set from `from` on; `end` when there is none before it. */
export function nextBit(bits: usize, from: i32, end: i32): i32 {
  if (from >= end) return end;
  let word = from >> 6;
  let left = load<u64>(bits + ((<usize>word) << 3)) & (~(<u64>0) << (<u64>(from & 63)));
  while (left === 0) {
    word++;
    if (word << 6 >= end) return end;
    left = load<u64>(bits + ((<usize>word) << 3));
  }
  return min((word << 6) + <i32>ctz(left), end);
}

export function isSet(bits: usize, i: i32): bool {
  return ((load<u64>(bits + ((<usize>(i >> 6)) << 3)) >> <u64>(i & 63)) & 1) === 1;
}
