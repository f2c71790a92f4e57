import type { BacktestResult } from '@sextant/workers/src/protocol.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import type { Run } from '../backtestState.ts';
import { daysOf } from './breakdown.ts';

/** The scored window that every figure of a run is of: `2026-09-24 00:00 UTC to 2026-11-25 12:00 UTC, 62.5 days`. */
export function windowText({ loaded, scoredCount }: Pick<Run, 'loaded' | 'scoredCount'>): string {
  const { time } = loaded.candles;
  const fromMs = time[time.length - scoredCount] ?? 0;
  const untilMs = (time.at(-1) ?? 0) + loaded.intervalMs;
  return `${formatUtc(fromMs)} to ${formatUtc(untilMs)}, ${formatFixed(daysOf(fromMs, untilMs), 1)} days`;
}

/** Scored candles before the first one that has a score: votes, also of longer intervals, still warm up on them. */
export function candlesWithoutScore({ score }: Pick<BacktestResult, 'score'>): number {
  const first = score.findIndex((value) => !Number.isNaN(value));
  return first < 0 ? score.length : first;
}

/** Under the chart: window, candles and what the run took. */
export function RunFacts({ run }: { run: Run }) {
  const { time } = run.loaded.candles;
  const from = time[time.length - run.scoredCount];
  const isFast = run.tookMs < 1000;
  const without = candlesWithoutScore(run.result);
  return (
    <p className="tabular-nums max-md:hidden">
      {formatUtc(from)} to {formatUtc(time.at(-1))} · {formatCount(run.result.summary.loadedCount)} loaded,{' '}
      {formatCount(run.scoredCount)} scored
      {without > 0 && `, the first ${formatCount(without)} while votes warm up`} ·{' '}
      {formatFixed(isFast ? run.tookMs : run.tookMs / 1000, 1)} {isFast ? 'ms' : 's'}
    </p>
  );
}

/** What the marks of trades on the chart mean. */
export function TradeLegend() {
  return (
    <p>
      Triangle: entry, pointing the trade’s way. Dot: exit, in the colour of its result. Grey line: the stop as it stood
      at the exit. Where trades are many they are counted: ↑ long and ↓ short entries, + winning and − losing exits;
      zoom in for each.
    </p>
  );
}
