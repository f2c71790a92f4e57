import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { RUN_MINUTES_MAX } from '@sextant/workers/src/candles/minutes.ts';
import type { BacktestResult, BacktestSummary, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { formatCount, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import type { Run } from '../backtestState.ts';
import { fractionToPercent } from '../params.ts';

/** Assumptions of a run about funding and about candles that hold stop and target: short names for tables and tests. */

type Assumed = Pick<Costs, 'fundingSource' | 'assumedFundingFraction' | 'sameBar'>;

const ratePct = ({ assumedFundingFraction = 0 }: Assumed): string => `${fractionToPercent(assumedFundingFraction)} %`;

export function fundingName(costs: Assumed): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'assumed') return `assumed, ${ratePct(costs)} every 8 h`;
  return fundingSource === 'off' ? 'off' : 'as settled';
}

/** The same for a run: a requested history is not always available. */
export function fundingUsed(costs: Assumed, { isFundingKnown }: BacktestSummary, source: 'exchange' | 'csv'): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource !== 'history' || isFundingKnown) return fundingName(costs);
  return source === 'csv' ? 'none (a file has no funding rates)' : 'as settled, where known';
}

export const sameBarName = ({ sameBar = 'stop' }: Assumed): string => `${sameBar} first`;

/** The part of the costs that went to funding, or why there is none. */
export function fundingPart(costs: Assumed, { isFundingKnown, funding }: BacktestSummary): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'no funding';
  if (fundingSource === 'history' && !isFundingKnown) return 'funding unknown';
  const amount = funding < 0 ? `${formatMoney(-funding)} funding received` : `${formatMoney(funding)} funding`;
  return fundingSource === 'assumed' ? `${amount} at an assumed ${ratePct(costs)} every 8 hours` : amount;
}

/** Text in place of the funding amount when it is off or unknown; null when there is an amount. */
export function fundingGap(costs: Assumed, { isFundingKnown, funding }: BacktestSummary): string | null {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'none';
  return fundingSource === 'history' && !isFundingKnown && funding === 0 ? 'unknown' : null;
}

/** Number of exits whose candle held both a loss level and the target, and how many of them are unsettled. */
function openExits({ trades, askedBars }: BacktestResult): { count: number; open: number } {
  const requested = new Set(askedBars);
  const among = trades.filter(({ exitIndex }) => requested.has(exitIndex));
  return { count: among.length, open: among.filter(({ isAmbiguous }) => isAmbiguous).length };
}

/** What settled the order of exits; null where none was ambiguous. */
export function settledWords({
  result,
  minutes,
  costs: { sameBar = 'stop' },
}: Pick<Run, 'result' | 'minutes' | 'costs'>) {
  const { count, open } = openExits(result);
  if (count === 0) return null;
  const met = `${formatMany(count, 'exit')} reached stop and target in one candle`;
  const stored = `${open === count ? (count === 1 ? 'it takes' : 'they take') : `${open} ${open === 1 ? 'takes' : 'take'}`} the ${sameBar} first`;
  if (minutes === undefined) return `${met}; without minute candles ${stored}.`;
  return `${met}; minute candles settled ${count - open}${open === 0 ? '' : `, ${stored}`}.`;
}

/** By which price liquidations were judged. */
export function markWords({ loaded: { source, marks }, fineData }: Pick<Run, 'loaded' | 'fineData'>): string {
  if (source === 'csv' || !fineData || !marks) return 'Liquidation uses the last price.';
  const missing =
    marks.missingCount === 0 ? '' : `; ${formatMany(marks.missingCount, 'candle')} without one use the last price`;
  return `Liquidation uses the mark price${missing}.`;
}

/** What mark prices and minutes could not settle, worst first. */
export function fineWarnings({ loaded, fineData, result, minutesProblem }: Run): string[] {
  if (loaded.source === 'csv') return [];
  const warnings: string[] = [];
  const { open } = openExits(result);
  const most = Math.floor((RUN_MINUTES_MAX * MINUTE_MS) / loaded.intervalMs);
  const keep = `${formatMany(open, 'exit')} ${open === 1 ? 'keeps' : 'keep'} the assumed order`;
  if (minutesProblem !== undefined && open > 0) warnings.push(`1-minute data did not load: ${minutesProblem} ${keep}.`);
  else if (fineData && open > 0 && result.askedBars.length > most)
    warnings.push(`A run settles at most ${formatCount(most)} candles with 1-minute data: ${keep}.`);
  if (fineData && loaded.marks === null)
    warnings.push('Mark prices are missing here: liquidation uses the last price.');
  return warnings;
}

function fundingWarning(costs: Assumed): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'Funding is off: real costs are higher.';
  if (fundingSource === 'assumed') return `Funding is assumed at ${ratePct(costs)} every 8 hours.`;
  return 'Funding data is incomplete: costs may be understated.';
}

/** Warnings about the assumptions, to read before trusting the figures. */
export function assumptionWarnings(
  costs: Assumed,
  { tradeCount, isFundingKnown, ambiguousFraction }: BacktestSummary,
): string[] {
  const optimistic = `Optimistic: ${formatPercent(ambiguousFraction)} of trades reached target and stop or liquidation in one candle, and took the target.`;
  return [
    ...(tradeCount > 0 && !isFundingKnown ? [fundingWarning(costs)] : []),
    ...(costs.sameBar === 'target' && ambiguousFraction > 0 ? [optimistic] : []),
  ];
}
