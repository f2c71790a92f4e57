import * as abi from '../../abi/ruleProgram';
import { half, one, undefinedPair } from '../constants';

// Operations on each candle alone, two candles a step. Columns have room for an even number of values.

/** @param bytes of a column, a multiple of 16 */
export function elementwise(op: i32, a: usize, b: usize, c: usize, out: usize, bytes: usize): void {
  if (op <= abi.OP_DIV) arithmetic(op, a, b, out, bytes);
  else if (op === abi.OP_MIN || op === abi.OP_MAX) extreme(op === abi.OP_MAX, a, b, out, bytes);
  else if (op <= abi.OP_SIGN) unary(op, a, out, bytes);
  else if (op <= abi.OP_NE) compare(op, a, b, out, bytes);
  else if (op === abi.OP_NZ) orElse(a, b, out, bytes);
  else logic(op, a, b, c, out, bytes);
}

/** The same value at every candle. */
export function constant(value: f64, out: usize, bytes: usize): void {
  const both = f64x2.splat(value);
  for (let k: usize = 0; k < bytes; k += 16) v128.store(out + k, both);
}

function arithmetic(op: i32, a: usize, b: usize, out: usize, bytes: usize): void {
  let k: usize = 0;
  if (op === abi.OP_ADD) {
    for (; k < bytes; k += 16) v128.store(out + k, f64x2.add(v128.load(a + k), v128.load(b + k)));
  } else if (op === abi.OP_SUB) {
    for (; k < bytes; k += 16) v128.store(out + k, f64x2.sub(v128.load(a + k), v128.load(b + k)));
  } else if (op === abi.OP_MUL) {
    for (; k < bytes; k += 16) v128.store(out + k, f64x2.mul(v128.load(a + k), v128.load(b + k)));
  } else {
    const none = undefinedPair();
    const zero = f64x2.splat(0);
    for (; k < bytes; k += 16) {
      const divisor = v128.load(b + k);
      const quotient = f64x2.div(v128.load(a + k), divisor);
      v128.store(out + k, v128.bitselect(none, quotient, f64x2.eq(divisor, zero)));
    }
  }
}

/** Math.max and Math.min: NaN spreads, and -0 is below 0. */
function extreme(isMax: bool, a: usize, b: usize, out: usize, bytes: usize): void {
  let k: usize = 0;
  if (isMax) for (; k < bytes; k += 16) v128.store(out + k, f64x2.max(v128.load(a + k), v128.load(b + k)));
  else for (; k < bytes; k += 16) v128.store(out + k, f64x2.min(v128.load(a + k), v128.load(b + k)));
}

function unary(op: i32, a: usize, out: usize, bytes: usize): void {
  let k: usize = 0;
  if (op === abi.OP_NEG) for (; k < bytes; k += 16) v128.store(out + k, f64x2.neg(v128.load(a + k)));
  else if (op === abi.OP_ABS) for (; k < bytes; k += 16) v128.store(out + k, f64x2.abs(v128.load(a + k)));
  else if (op === abi.OP_SQRT) for (; k < bytes; k += 16) v128.store(out + k, f64x2.sqrt(v128.load(a + k)));
  else if (op === abi.OP_FLOOR) for (; k < bytes; k += 16) v128.store(out + k, f64x2.floor(v128.load(a + k)));
  else if (op === abi.OP_CEIL) for (; k < bytes; k += 16) v128.store(out + k, f64x2.ceil(v128.load(a + k)));
  else if (op === abi.OP_ROUND) {
    const centre = half();
    for (; k < bytes; k += 16) v128.store(out + k, f64x2.floor(f64x2.add(v128.load(a + k), centre)));
  } else signs(a, out, bytes);
}

function signs(a: usize, out: usize, bytes: usize): void {
  const unit = one();
  const none = undefinedPair();
  const zero = f64x2.splat(0);
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(a + k);
    const up = v128.and(f64x2.gt(x, zero), unit);
    const down = v128.and(f64x2.lt(x, zero), unit);
    v128.store(out + k, v128.bitselect(f64x2.sub(up, down), none, f64x2.eq(x, x)));
  }
}

function compare(op: i32, a: usize, b: usize, out: usize, bytes: usize): void {
  if (op === abi.OP_LT) return less(a, b, out, bytes);
  if (op === abi.OP_GT) return less(b, a, out, bytes);
  if (op === abi.OP_LE) return lessOrEqual(a, b, out, bytes);
  if (op === abi.OP_GE) return lessOrEqual(b, a, out, bytes);
  const unit = one();
  const none = undefinedPair();
  const turn = op === abi.OP_NE ? i64x2.splat(-1) : i64x2.splat(0);
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    const isEqual = v128.xor(f64x2.eq(x, y), turn);
    v128.store(out + k, verdict(isEqual, v128.and(f64x2.eq(x, x), f64x2.eq(y, y)), unit, none));
  }
}

function less(a: usize, b: usize, out: usize, bytes: usize): void {
  const unit = one();
  const none = undefinedPair();
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    const isTrue = f64x2.lt(x, y);
    v128.store(out + k, verdict(isTrue, v128.or(isTrue, f64x2.ge(x, y)), unit, none));
  }
}

function lessOrEqual(a: usize, b: usize, out: usize, bytes: usize): void {
  const unit = one();
  const none = undefinedPair();
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    const isTrue = f64x2.le(x, y);
    v128.store(out + k, verdict(isTrue, v128.or(isTrue, f64x2.gt(x, y)), unit, none));
  }
}

/** 1 where true, 0 where known and not true, NaN where not known; masks, `isTrue` may be set where it is not known. */
export function verdict(isTrue: v128, isKnown: v128, unit: v128, none: v128): v128 {
  return v128.bitselect(v128.and(isTrue, unit), none, isKnown);
}

/** Mask of the lanes that are true: neither 0 nor NaN. */
export function trueOf(x: v128, zero: v128): v128 {
  return v128.or(f64x2.lt(x, zero), f64x2.gt(x, zero));
}

function logic(op: i32, a: usize, b: usize, c: usize, out: usize, bytes: usize): void {
  const unit = one();
  const none = undefinedPair();
  const zero = f64x2.splat(0);
  let k: usize = 0;
  if (op === abi.OP_NOT) {
    for (; k < bytes; k += 16) {
      const x = v128.load(a + k);
      v128.store(out + k, verdict(f64x2.eq(x, zero), f64x2.eq(x, x), unit, none));
    }
  } else if (op === abi.OP_IF) {
    for (; k < bytes; k += 16) {
      const x = v128.load(a + k);
      const chosen = v128.bitselect(v128.load(c + k), v128.load(b + k), f64x2.eq(x, zero));
      v128.store(out + k, v128.bitselect(chosen, none, f64x2.eq(x, x)));
    }
  } else if (op === abi.OP_AND) {
    for (; k < bytes; k += 16) {
      const x = v128.load(a + k);
      const y = v128.load(b + k);
      const isFalse = v128.or(f64x2.eq(x, zero), f64x2.eq(y, zero));
      const isTrue = v128.and(trueOf(x, zero), trueOf(y, zero));
      v128.store(out + k, verdict(isTrue, v128.or(isTrue, isFalse), unit, none));
    }
  } else {
    for (; k < bytes; k += 16) {
      const x = v128.load(a + k);
      const y = v128.load(b + k);
      const isFalse = v128.and(f64x2.eq(x, zero), f64x2.eq(y, zero));
      const isTrue = v128.or(trueOf(x, zero), trueOf(y, zero));
      v128.store(out + k, verdict(isTrue, v128.or(isTrue, isFalse), unit, none));
    }
  }
}

function orElse(a: usize, b: usize, out: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(a + k);
    v128.store(out + k, v128.bitselect(x, v128.load(b + k), f64x2.eq(x, x)));
  }
}
