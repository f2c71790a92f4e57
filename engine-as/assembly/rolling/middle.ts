import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { half } from '../constants';
import { at2, larger, put2, smaller } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined, put } from '../series';

/** Candles handled at a time: the four buffers stay in the first cache levels however long the series is. */
const CHUNK = 512;

/**
 * Middles (highest high + lowest low) / 2 of three look-backs at once. All three read one pyramid: the extremes of 2w candles are those of
 * two neighbouring w's, so each level is computed once and each look-back is two overlapping blocks of the largest level that fits it.
 * Order does not matter for an extreme, so the bits do not depend on where a chunk starts.
 *
 * The caller gives the look-backs in ascending order. Middle k of candle i goes to outs[k] + 8 * (i + lags[k]).
 * @param plan three rows of i32: period, out, lag (candles by which the middle is written later)
 * @param from first candle requested, of every output
 */
export function rollingMiddles(high: usize, low: usize, length: i32, plan: usize, from: i32): i32 {
  const longest = load<i32>(plan, 24);
  let begin = from;
  for (let k = 0; k < 3; k++) {
    const period = periodOf(plan, k);
    const warmup = period - 1 + lagOf(plan, k);
    fillUndefined(outOf(plan, k), min(from, warmup), min(length, warmup));
    begin = min(begin, max(period - 1, from - lagOf(plan, k)));
  }
  if (begin >= length) return STATUS_OK;
  const mark = arenaMark();
  const buffers = arenaReserve(((<usize>(CHUNK + longest + 4)) << 3) * 4);
  if (buffers === 0) return STATUS_OUT_OF_MEMORY;
  for (let i = begin; i < length; i += CHUNK) {
    chunk(high, low, length, plan, longest, i, min(i + CHUNK, length), buffers);
  }
  arenaRelease(mark);
  return STATUS_OK;
}

function periodOf(plan: usize, k: i32): i32 {
  return load<i32>(plan + <usize>k * 12);
}

function outOf(plan: usize, k: i32): usize {
  return load<usize>(plan + <usize>k * 12, 4);
}

function lagOf(plan: usize, k: i32): i32 {
  return load<i32>(plan + <usize>k * 12, 8);
}

/** Candles [from, to). Level `width` holds at j the extremes of the `width` candles from base + j on. */
function chunk(
  high: usize,
  low: usize,
  length: i32,
  plan: usize,
  longest: i32,
  from: i32,
  to: i32,
  buffers: usize,
): void {
  const base = max(0, from - longest + 1);
  const size = to - base;
  const bytes = (<usize>(CHUNK + longest + 4)) << 3;
  let tops = addressOf(high, base);
  let bottoms = addressOf(low, base);
  let width = 1;
  let isOdd = false;
  for (let k = 0; k < 3; k++) {
    const period = periodOf(plan, k);
    while (width * 2 <= period) {
      const nextTops = isOdd ? buffers + 2 * bytes : buffers;
      raise(tops, bottoms, width, size - 2 * width + 1, nextTops, nextTops + bytes);
      tops = nextTops;
      bottoms = nextTops + bytes;
      isOdd = !isOdd;
      width *= 2;
    }
    const lag = lagOf(plan, k);
    const first = max(from, period - 1);
    const end = min(to, length - lag);
    const block = first - period + 1 - base;
    const out = addressOf(outOf(plan, k), first + lag);
    if (first < end) middles(addressOf(tops, block), addressOf(bottoms, block), period - width, end - first, out);
  }
}

/** One level up: both extremes of two neighbouring blocks. */
function raise(tops: usize, bottoms: usize, width: i32, count: i32, nextTops: usize, nextBottoms: usize): void {
  let j = 0;
  for (; j + 2 <= count; j += 2) {
    put2(nextTops, j, f64x2.pmax(at2(tops, j), at2(tops, j + width)));
    put2(nextBottoms, j, f64x2.pmin(at2(bottoms, j), at2(bottoms, j + width)));
  }
  if (j < count) {
    put(nextTops, j, larger(at(tops, j), at(tops, j + width)));
    put(nextBottoms, j, smaller(at(bottoms, j), at(bottoms, j + width)));
  }
}

/** Two blocks `shift` apart cover a look-back. */
function middles(tops: usize, bottoms: usize, shift: i32, count: i32, out: usize): void {
  const centre = half();
  let j = 0;
  for (; j + 2 <= count; j += 2) {
    const top = f64x2.pmax(at2(tops, j), at2(tops, j + shift));
    put2(out, j, f64x2.mul(centre, f64x2.add(top, f64x2.pmin(at2(bottoms, j), at2(bottoms, j + shift)))));
  }
  if (j < count) {
    const top = larger(at(tops, j), at(tops, j + shift));
    put(out, j, 0.5 * (top + smaller(at(bottoms, j), at(bottoms, j + shift))));
  }
}
