import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, put2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { SMOOTHING_STATE, meanOf, smooth } from '../rolling/smoothing';
import { addressOf, at, fillUndefined, put } from '../series';

/** Three smoothings: fast, slow, signal. */
export const MACD_STATE = 3 * SMOOTHING_STATE;

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
): i32 {
  const warmup = slow + signalPeriod - 2;
  if (load<f64>(state) === 0) {
    fillUndefined(line, 0, min(length, warmup));
    fillUndefined(signal, 0, min(length, warmup));
    fillUndefined(histogram, 0, min(length, warmup));
    if (length <= warmup) return STATUS_OK;
  }
  const mark = arenaMark();
  const fastMeans = arenaReserve((<usize>length) << 3);
  const slowMeans = arenaReserve((<usize>length) << 3);
  if (fastMeans === 0 || slowMeans === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  const slowState = addressOf(state, SMOOTHING_STATE);
  const signalState = addressOf(slowState, SMOOTHING_STATE);
  const anchor = <i32>at(state, 0);
  const isFirst = anchor === 0;
  if (isFirst) {
    put(fastMeans, slow - 1, meanOf(x, slow - fast, fast));
    put(slowMeans, slow - 1, meanOf(x, 0, slow));
  }
  smooth(x, length, slow, at(fastMeans, slow - 1), 2.0 / <f64>(fast + 1), state, fastMeans);
  smooth(x, length, slow, at(slowMeans, slow - 1), 2.0 / <f64>(slow + 1), slowState, slowMeans);
  subtract(fastMeans, slowMeans, isFirst ? slow - 1 : max(anchor, warmup), length, line);
  if (isFirst) {
    put(signal, warmup, meanOf(line, slow - 1, signalPeriod));
    fillUndefined(line, slow - 1, warmup);
  }
  const signalAnchor = max(<i32>at(signalState, 0), warmup);
  smooth(line, length, warmup + 1, at(signal, warmup), 2.0 / <f64>(signalPeriod + 1), signalState, signal);
  subtract(line, signal, signalAnchor, length, histogram);
  arenaRelease(mark);
  return STATUS_OK;
}

function subtract(a: usize, b: usize, from: i32, to: i32, out: usize): void {
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, f64x2.sub(at2(a, i), at2(b, i)));
  if (i < to) put(out, i, at(a, i) - at(b, i));
}
