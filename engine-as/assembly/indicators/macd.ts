import { at2, both, first, high, low, pair, put2 } from '../lanes';
import { SMOOTHING_STATE, meanOf, smooth } from '../rolling/smoothing';
import { addressOf, at, fillUndefined, put } from '../series';

/** Slots of `state`: first candle of the next step (0: not begun), fast and slow mean less its close; then the signal's. */
export const MACD_STATE = 3 + SMOOTHING_STATE;

const tail = memory.data(32, 16); // the unfinished step at the end of a series

/**
 * Moving average convergence divergence: fast EMA - slow EMA, its EMA as the signal, and their difference.
 * Both EMAs begin on candle slow - 1, each seeded by the mean of its own period up to there (TA-Lib).
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
 * Fast minus slow mean from candle `start` on, four candles a step as in rolling/smoothing.ts. Both means are carried as
 * their distance from the same close, so their difference loses nothing to the size of the price.
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
    quick = f64x2.splat(fastSeed - at(x, start));
    steady = f64x2.splat(slowSeed - at(x, start));
  }
  const a = 2.0 / <f64>(fast + 1);
  const b = 2.0 / <f64>(slow + 1);
  let origin = f64x2.splat(at(x, i));
  for (; i + 4 < length; i += 4) {
    const nextOrigin = both(x, i + 4);
    const move = f64x2.sub(origin, nextOrigin);
    const near = f64x2.sub(at2(x, i), origin);
    const far = f64x2.sub(at2(x, i + 2), origin);
    const quickHead = head(near, a);
    const quickTail = rest(far, quickHead, a);
    const quickFaded = f64x2.mul(distant(a), quick);
    const steadyHead = head(near, b);
    const steadyTail = rest(far, steadyHead, b);
    const steadyFaded = f64x2.mul(distant(b), steady);
    const quickNear = f64x2.add(f64x2.mul(nearby(a), quick), quickHead);
    put2(line, i, f64x2.sub(quickNear, f64x2.add(f64x2.mul(nearby(b), steady), steadyHead)));
    put2(line, i + 2, f64x2.sub(f64x2.add(quickFaded, quickTail), f64x2.add(steadyFaded, steadyTail)));
    quick = high(f64x2.add(quickFaded, f64x2.add(quickTail, move)));
    steady = high(f64x2.add(steadyFaded, f64x2.add(steadyTail, move)));
    origin = nextOrigin;
  }
  put(state, 0, <f64>i);
  put(state, 1, first(quick));
  put(state, 2, first(steady));
  // The last one to four candles: the same step with made-up closes after the end, of which nothing is kept.
  const count = length - i;
  for (let j = 0; j < 4; j++) put(tail, j, j < count ? at(x, i + j) : first(origin));
  const near = f64x2.sub(at2(tail, 0), origin);
  const far = f64x2.sub(at2(tail, 2), origin);
  const quickHead = head(near, a);
  const steadyHead = head(near, b);
  const quickNear = f64x2.add(f64x2.mul(nearby(a), quick), quickHead);
  const quickFar = f64x2.add(f64x2.mul(distant(a), quick), rest(far, quickHead, a));
  const steadyFar = f64x2.add(f64x2.mul(distant(b), steady), rest(far, steadyHead, b));
  put2(tail, 0, f64x2.sub(quickNear, f64x2.add(f64x2.mul(nearby(b), steady), steadyHead)));
  put2(tail, 2, f64x2.sub(quickFar, steadyFar));
  memory.copy(addressOf(line, i), tail, <usize>count << 3);
}

/** What the first two differences of a step add to the mean of weight `a` at their candles. */
function head(differences: v128, a: f64): v128 {
  const gained = f64x2.mul(f64x2.splat(a), differences);
  return f64x2.add(gained, f64x2.mul(pair(0, 1.0 - a), low(gained)));
}

/** The same of the last two, with what is left of the first two. */
function rest(differences: v128, before: v128, a: f64): v128 {
  return f64x2.add(head(differences, a), f64x2.mul(nearby(a), high(before)));
}

/** What is left of a carried mean after one and two candles. */
function nearby(a: f64): v128 {
  const b = 1.0 - a;
  return pair(b, b * b);
}

/** After three and four. */
function distant(a: f64): v128 {
  const b = 1.0 - a;
  return pair(b * b * b, b * b * b * b);
}

function subtract(a: usize, b: usize, from: i32, to: i32, out: usize): void {
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, f64x2.sub(at2(a, i), at2(b, i)));
  if (i < to) put(out, i, at(a, i) - at(b, i));
}
