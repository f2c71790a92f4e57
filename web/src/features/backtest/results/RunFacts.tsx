import { ANALYSIS_TRADES_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { formatCount, formatFixed, formatMany, formatPercent } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { Notice } from '../../../ui/Notice.tsx';
import type { Run } from '../backtestState.ts';
import { dayOf } from '../setup/dateRange.ts';
import { assumptionWarnings, fineWarnings } from './assumptions.ts';
import { candlesWords, contractWarnings, contractWords, storedRulesWords } from './contractWords.ts';
import { daysOf, drawdownDepth } from './figures.ts';
import { liquidityWarnings, liquidityWords } from './liquidityWords.ts';

/** From the open of the first scored candle to the close of the last one, epoch ms. */
function scoredWindow({ loaded, scoredCount }: Pick<Run, 'loaded' | 'scoredCount'>): {
  fromMs: number;
  untilMs: number;
} {
  const { time } = loaded.candles;
  return { fromMs: time[time.length - scoredCount] ?? 0, untilMs: (time.at(-1) ?? 0) + loaded.intervalMs };
}

/** The scored window that every figure of a run is of: `2026-09-24 00:00 UTC to 2026-11-25 12:00 UTC, 62.5 days`. */
export function windowText(run: Pick<Run, 'loaded' | 'scoredCount'>): string {
  const { fromMs, untilMs } = scoredWindow(run);
  return `${formatUtc(fromMs)} to ${formatUtc(untilMs)}, ${formatFixed(daysOf(fromMs, untilMs), 1)} days`;
}

/** Scored candles before the first one with a score: votes, also of longer intervals, are still warming up there. */
function candlesWithoutScore({ score }: Pick<BacktestResult, 'score'>): number {
  const first = score.findIndex((value) => !Number.isNaN(value));
  return first < 0 ? score.length : first;
}

/** Under the chart: window, candles and duration of the run. */
export function RunFacts({ run }: { run: Run }) {
  const { fromMs, untilMs } = scoredWindow(run);
  const isFast = run.tookMs < 1000;
  const without = candlesWithoutScore(run.result);
  const ofOther = candlesWords(run);
  return (
    <p className="tabular-nums">
      <span className="max-md:hidden">
        {formatUtc(fromMs)} to {formatUtc(untilMs)} · {formatCount(run.result.summary.loadedCount)} loaded,{' '}
        {formatCount(run.scoredCount)} scored
        {without > 0 && `, ${formatCount(without)} of them warm-up`} ·{' '}
        {formatFixed(isFast ? run.tookMs : run.tookMs / 1000, 1)} {isFast ? 'ms' : 's'}
        <br />
      </span>
      {/* On phones only what limits the figures. */}
      <span className={run.costs.rulesOf === undefined ? undefined : 'max-md:hidden'}>
        {contractWords(run)}
        <br />
      </span>
      {ofOther !== null && (
        <>
          {ofOther}
          <br />
        </>
      )}
      <span className="max-md:hidden">{liquidityWords(run)}</span>
    </p>
  );
}

/** Legend of the trade marks on the chart. */
export function TradeLegend() {
  return (
    <p>
      ▲ long, ▼ short. Filled with a dot at the exit: won. Hollow with a cross: lost. Grey line: stop at the exit. Zoom
      in where trades are counted: ↑ long, ↓ short, + won, − lost.
    </p>
  );
}

type Loaded = Run['loaded'];

/** Without a network a range ends where the stored candles do. */
function offlineWords({
  candles: { time },
  intervalMs,
  scoredFromMs,
  requestedCount = 0,
  requestedUntilMs = 0,
}: Loaded): string {
  const untilMs = (time.at(-1) ?? 0) + intervalMs;
  if (scoredFromMs !== undefined && untilMs + intervalMs <= requestedUntilMs)
    return `Offline: stored candles end on ${dayOf(untilMs - 1)} (UTC), your dates on ${dayOf(requestedUntilMs - 1)}.`;
  return time.length < requestedCount
    ? `Offline: used ${formatCount(time.length)} stored candles of ${formatCount(requestedCount)} requested.`
    : 'Offline: used the candles of your last connection.';
}

/** What a run without a network took from this browser. */
function storedWarnings(loaded: Loaded): string[] {
  const rules = storedRulesWords(loaded, Date.now());
  return [...(loaded.isOffline === true ? [offlineWords(loaded)] : []), ...(rules === null ? [] : [rules])];
}

/** Warnings as sentences, worst first; may be empty. */
export function warningsOf(run: Pick<Run, 'result' | 'costs'> & Partial<Run>): string[] {
  const { result, loaded, costs } = run;
  const { summary } = result;
  const warnings: string[] = [];
  if (loaded !== undefined) warnings.push(...storedWarnings(loaded));
  const without = candlesWithoutScore(result);
  if (without > 0)
    warnings.push(
      `${formatCount(without)} of ${formatCount(result.score.length)} scored candles are warm-up, without trades. Load more candles or drop the slowest votes.`,
    );
  const depth = drawdownDepth(summary.maxDrawdownFraction);
  if (depth !== undefined)
    warnings.push(`Drawdown ${formatPercent(summary.maxDrawdownFraction)}: lost ${depth} of the peak.`);
  if (summary.ruinIndex !== null) warnings.push(`Equity used up in candle ${summary.ruinIndex + 1}: trading stopped.`);
  if (summary.liquidationCount > 0)
    warnings.push(`${formatMany(summary.liquidationCount, 'position')} liquidated: whole margin lost.`);
  if (summary.stopBeyondLiquidationCount > 0)
    warnings.push(
      `Stop beyond liquidation in ${formatMany(summary.stopBeyondLiquidationCount, 'trade')}. Lower the leverage or the stop distance.`,
    );
  if (summary.droppedSignals.marginShort > 0)
    warnings.push(
      `${formatMany(summary.droppedSignals.marginShort, 'signal')} not filled: equity is below the smallest order.`,
    );
  if (summary.gapCount > 0)
    warnings.push(
      `${formatMany(summary.missingCandleCount, 'candle')} missing in ${formatMany(summary.gapCount, 'gap')}: indicators skip over them.`,
    );
  if (summary.tradeCount > 0 && summary.tradeCount < ANALYSIS_TRADES_MIN)
    warnings.push(`Only ${formatMany(summary.tradeCount, 'trade')}: treat rates as unreliable.`);
  if (summary.forcedCloseCount > 0)
    warnings.push(`${formatMany(summary.forcedCloseCount, 'trade')} closed at the last candle.`);
  warnings.push(...contractWarnings(run), ...liquidityWarnings(run));
  const fine = loaded === undefined ? [] : fineWarnings({ ...(run as Run) });
  return [...warnings, ...fine, ...assumptionWarnings(costs, summary)];
}

/** Warnings to read before trusting the figures. */
export function Warnings({ run }: { run: Run }) {
  const warnings = warningsOf(run);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn">
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-label">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
