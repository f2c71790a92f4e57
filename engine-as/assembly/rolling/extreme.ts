import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, larger, put2, smaller } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined, put } from '../series';

/** Candles handled at a time: both buffers stay in the first cache levels however long the series is. */
const CHUNK = 1024;

/**
 * Largest element of the last `period`, by doubling: the extreme of 2w elements is that of two neighbouring w's. The passes are branch-free
 * and order does not matter for an extreme, so the bits do not depend on where a chunk starts.
 *
 * @param x    f64[length], no NaN
 * @param from first candle requested
 * @param out  f64[length], NaN below period - 1; may not be x
 */
export function rollingMax(x: usize, length: i32, period: i32, out: usize, from: i32): i32 {
  return rolling(x, length, period, out, from, true);
}

export function rollingMin(x: usize, length: i32, period: i32, out: usize, from: i32): i32 {
  return rolling(x, length, period, out, from, false);
}

function rolling(x: usize, length: i32, period: i32, out: usize, from: i32, isMax: bool): i32 {
  fillUndefined(out, from, min(length, period - 1));
  const begin = max(from, period - 1);
  if (begin >= length) return STATUS_OK;
  const mark = arenaMark();
  const bytes = (<usize>(CHUNK + period + 4)) << 3;
  const a = arenaReserve(bytes);
  const b = arenaReserve(bytes);
  if (a === 0 || b === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  for (let i = begin; i < length; i += CHUNK) {
    const count = min(CHUNK, length - i);
    const source = addressOf(x, i - period + 1);
    const size = count + period - 1;
    const target = addressOf(out, i);
    if (isMax) chunkMax(source, size, period, a, b, target);
    else chunkMin(source, size, period, a, b, target);
  }
  arenaRelease(mark);
  return STATUS_OK;
}

/** Extremes of the windows of source[0, size) that are whole: size - period + 1 of them. */
function chunkMax(source: usize, size: i32, period: i32, a: usize, b: usize, target: usize): void {
  let width = 1;
  let current = source;
  let next = a;
  while (width * 2 <= period) {
    // current[j] is the extreme of the `width` elements from j on.
    mergeMax(current, addressOf(current, width), size - width * 2 + 1, next);
    const used = current;
    current = next;
    next = used === source ? b : used;
    width *= 2;
  }
  mergeMax(current, addressOf(current, period - width), size - period + 1, target);
}

function chunkMin(source: usize, size: i32, period: i32, a: usize, b: usize, target: usize): void {
  let width = 1;
  let current = source;
  let next = a;
  while (width * 2 <= period) {
    mergeMin(current, addressOf(current, width), size - width * 2 + 1, next);
    const used = current;
    current = next;
    next = used === source ? b : used;
    width *= 2;
  }
  mergeMin(current, addressOf(current, period - width), size - period + 1, target);
}

function mergeMax(left: usize, right: usize, count: i32, target: usize): void {
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    put2(target, j, f64x2.pmax(at2(left, j), at2(right, j)));
    put2(target, j + 2, f64x2.pmax(at2(left, j + 2), at2(right, j + 2)));
  }
  for (; j < count; j++) put(target, j, larger(at(left, j), at(right, j)));
}

function mergeMin(left: usize, right: usize, count: i32, target: usize): void {
  let j = 0;
  for (; j + 4 <= count; j += 4) {
    put2(target, j, f64x2.pmin(at2(left, j), at2(right, j)));
    put2(target, j + 2, f64x2.pmin(at2(left, j + 2), at2(right, j + 2)));
  }
  for (; j < count; j++) put(target, j, smaller(at(left, j), at(right, j)));
}
