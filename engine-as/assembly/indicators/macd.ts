import { at2, first, high, low, pair, put2 } from '../lanes';
import { SMOOTHING_STATE, meanOf, smooth } from '../rolling/smoothing';
import { addressOf, at, fillUndefined, put } from '../series';

/**
 * Slots of `state`: first candle of the next step (0: not started), distances of the fast and the slow mean from the close before it; then
 * the signal's.
 */
export const MACD_STATE = 3 + SMOOTHING_STATE;

const tail = memory.data(48, 16); // the unfinished step at the end of a series

/**
 * Moving average convergence divergence: fast EMA - slow EMA, its EMA as the signal, and their difference.
 * Both EMAs start on candle slow - 1, each seeded by the mean of its own period up to there (TA-Lib).
 * @param x     f64[length], finite; periods 1..PERIOD_MAX, fast < slow
 * @param line  f64[length], with `signal` and `histogram` in the unit of x; all NaN below slow + signalPeriod - 2
 * @param state f64[MACD_STATE], cleared before the first call; the outputs of earlier calls must still be in place
 */
export function macd(
  x: usize,
  length: i32,
  fast: i32,
  slow: i32,
  signalPeriod: i32,
  line: usize,
  signal: usize,
  histogram: usize,
  state: usize,
): void {
  const warmup = slow + signalPeriod - 2;
  if (at(state, 0) === 0) {
    fillUndefined(line, 0, min(length, warmup));
    fillUndefined(signal, 0, min(length, warmup));
    fillUndefined(histogram, 0, min(length, warmup));
    if (length <= warmup) return;
  }
  const signalState = addressOf(state, 3);
  const anchor = <i32>at(state, 0);
  if (anchor === 0) {
    // Both means are seeded on candle slow - 1; the signal needs the lines from there on, which are not shown.
    const fastSeed = meanOf(x, slow - fast, fast);
    const slowSeed = meanOf(x, 0, slow);
    put(line, slow - 1, fastSeed - slowSeed);
    lines(x, length, slow, fastSeed, slowSeed, fast, slow, line, state);
    put(signal, warmup, meanOf(line, slow - 1, signalPeriod));
    fillUndefined(line, slow - 1, warmup);
  } else {
    lines(x, length, slow, 0, 0, fast, slow, line, state);
    fillUndefined(line, min(anchor, warmup), warmup);
  }
  const signalAnchor = max(<i32>at(signalState, 0), warmup);
  smooth(line, length, warmup + 1, at(signal, warmup), 2.0 / <f64>(signalPeriod + 1), signalState, signal);
  subtract(line, signal, signalAnchor, length, histogram);
}

/**
 * Fast minus slow mean from candle `start` on, four candles a step as in rolling/smoothing.ts. Both means are carried as their distance
 * from the last close, so the size of the price costs no precision.
 */
function lines(
  x: usize,
  length: i32,
  start: i32,
  fastSeed: f64,
  slowSeed: f64,
  fast: i32,
  slow: i32,
  line: usize,
  state: usize,
): void {
  if (length <= start) return;
  let i = <i32>at(state, 0);
  let quick = f64x2.splat(at(state, 1));
  let steady = f64x2.splat(at(state, 2));
  if (i === 0) {
    i = start;
    quick = f64x2.splat(fastSeed - at(x, start - 1));
    steady = f64x2.splat(slowSeed - at(x, start - 1));
  }
  const a = 1.0 - 2.0 / <f64>(fast + 1);
  const b = 1.0 - 2.0 / <f64>(slow + 1);
  const quickGain = f64x2.splat(-a);
  const quickOnce = pair(0, a);
  const quickNear = pair(a, a * a);
  const quickFar = pair(a * a * a, a * a * a * a);
  const steadyGain = f64x2.splat(-b);
  const steadyOnce = pair(0, b);
  const steadyNear = pair(b, b * b);
  const steadyFar = pair(b * b * b, b * b * b * b);
  const end = addressOf(x, length);
  let source = addressOf(x, i);
  let target = addressOf(line, i);
  while (source < end) {
    // The last step reads a copy padded after the end and discards the padding.
    const isWhole = source + 32 <= end;
    const from = isWhole ? source : copyLast(source, end - source);
    const move = f64x2.sub(v128.load(from), v128.load(from - 8));
    const nextMove = f64x2.sub(v128.load(from, 16), v128.load(from, 8));
    const quickHead = scan(f64x2.mul(quickGain, move), quickOnce);
    const quickRest = rest(f64x2.mul(quickGain, nextMove), quickOnce, quickNear, quickHead);
    const quickWhole = f64x2.add(f64x2.mul(quickFar, quick), quickRest);
    const steadyHead = scan(f64x2.mul(steadyGain, move), steadyOnce);
    const steadyRest = rest(f64x2.mul(steadyGain, nextMove), steadyOnce, steadyNear, steadyHead);
    const steadyWhole = f64x2.add(f64x2.mul(steadyFar, steady), steadyRest);
    const quickPart = f64x2.add(f64x2.mul(quickNear, quick), quickHead);
    const first2 = f64x2.sub(quickPart, f64x2.add(f64x2.mul(steadyNear, steady), steadyHead));
    const to = isWhole ? target : tail + 8;
    v128.store(to, first2);
    v128.store(to, f64x2.sub(quickWhole, steadyWhole), 16);
    if (!isWhole) {
      memory.copy(target, to, end - source);
      break;
    }
    quick = high(quickWhole);
    steady = high(steadyWhole);
    source += 32;
    target += 32;
  }
  keep(state, <i32>((source - x) >> 3), quick, steady);
}

/** Stores where the next step starts, and both means before it. */
function keep(state: usize, next: i32, quick: v128, steady: v128): void {
  put(state, 0, <f64>next);
  put(state, 1, first(quick));
  put(state, 2, first(steady));
}

/** The last closes, with the one before them, where a step may read and write beyond their end. */
function copyLast(source: usize, bytes: usize): usize {
  memory.fill(tail, 0, 40);
  memory.copy(tail, source - 8, bytes + 8);
  return tail + 8;
}

/** (u0, u1 + keep * u0) */
function scan(u: v128, once: v128): v128 {
  return f64x2.add(u, f64x2.mul(once, low(u)));
}

/** The second two candles of a step, after the first two. */
function rest(u: v128, once: v128, near: v128, head: v128): v128 {
  return f64x2.add(scan(u, once), f64x2.mul(near, high(head)));
}

function subtract(a: usize, b: usize, from: i32, to: i32, out: usize): void {
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, f64x2.sub(at2(a, i), at2(b, i)));
  if (i < to) put(out, i, at(a, i) - at(b, i));
}
