import { intervalToMs, msToInterval } from '../../../api/candles.ts';
import type { IntervalName } from '../../../api/types.ts';
import { formatDuration, formatUtc } from '../../../format/time.ts';
import type { CsvProblem } from './csvText.ts';

/** The candle lengths the product knows. */
const intervals: readonly IntervalName[] = ['1m', '5m', '15m', '1h', '4h', '1d'];

export interface Spacing {
  interval: IntervalName;
  /** Places where candles are missing, and how many in all. They are never invented. */
  gapCount: number;
  missingCount: number;
  /** Open time before the first gap, epoch ms. */
  firstGapMs: number | null;
}

/**
 * Finds the candle length and checks that every candle lies on its grid.
 * @param time  epoch ms, strictly increasing, at least two
 * @param lines line of each candle in the file
 */
export function readSpacing(time: ArrayLike<number>, lines: ArrayLike<number>): Spacing | CsvProblem {
  const stepMs = mostCommonStep(time);
  const interval = intervals.find((name) => intervalToMs(name) === stepMs);
  if (interval === undefined) {
    const found = msToInterval(stepMs) ?? formatDuration(stepMs);
    return {
      line: lines[1] ?? 2,
      column: 'time',
      text: `the candles are ${found} apart; known are ${intervals.join(', ')}`,
    };
  }
  let gapCount = 0;
  let missingCount = 0;
  let firstGapMs: number | null = null;
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] ?? NaN) - (time[i - 1] ?? NaN);
    if (step === stepMs) continue;
    if (step % stepMs !== 0) {
      const text = `${formatUtc(time[i])} is ${formatDuration(step)} after the line before, in a file of ${interval} candles`;
      return { line: lines[i] ?? 0, column: 'time', text };
    }
    gapCount++;
    missingCount += step / stepMs - 1;
    firstGapMs ??= time[i - 1] ?? null;
  }
  return { interval, gapCount, missingCount, firstGapMs };
}

function mostCommonStep(time: ArrayLike<number>): number {
  const counts = new Map<number, number>();
  let best = NaN;
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] ?? NaN) - (time[i - 1] ?? NaN);
    const count = (counts.get(step) ?? 0) + 1;
    counts.set(step, count);
    if (count > (counts.get(best) ?? 0)) best = step;
  }
  return best;
}
