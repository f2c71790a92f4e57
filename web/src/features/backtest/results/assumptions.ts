import type { BacktestSummary, Costs } from '@sextant/workers/src/protocol.ts';
import { formatMoney, formatPercent } from '../../../format/number.ts';
import { fractionToPercent } from '../params.ts';

/** What a run took for granted about funding and about candles that hold stop and target: short names for tables and tests. */

type Assumed = Pick<Costs, 'fundingSource' | 'assumedFundingFraction' | 'sameBar'>;

const ratePct = ({ assumedFundingFraction = 0 }: Assumed): string => `${fractionToPercent(assumedFundingFraction)} %`;

export function fundingName(costs: Assumed): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'assumed') return `assumed, ${ratePct(costs)} every 8 h`;
  return fundingSource === 'off' ? 'off' : 'as settled';
}

/** The same of a run: a history that was asked for is not always one that was there. */
export function fundingUsed(costs: Assumed, { isFundingKnown }: BacktestSummary, source: 'exchange' | 'csv'): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource !== 'history' || isFundingKnown) return fundingName(costs);
  return source === 'csv' ? 'none, a file has no settled rates' : 'as settled, as far as known';
}

export const sameBarName = ({ sameBar = 'stop' }: Assumed): string => `${sameBar} first`;

/** The part of the costs that went to funding, or why there is none. */
export function fundingPart(costs: Assumed, { isFundingKnown, funding }: BacktestSummary): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'funding left out';
  if (fundingSource === 'history' && !isFundingKnown) return 'funding not known';
  const amount = funding < 0 ? `${formatMoney(-funding)} funding received` : `${formatMoney(funding)} funding`;
  return fundingSource === 'assumed' ? `${amount} at an assumed ${ratePct(costs)} every 8 hours` : amount;
}

/** What the amount of the funding stands for when it is no known one; null when it is. */
export function fundingGap(costs: Assumed, { isFundingKnown, funding }: BacktestSummary): string | null {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'left out';
  return fundingSource === 'history' && !isFundingKnown && funding === 0 ? 'not known' : null;
}

function fundingWarning(costs: Assumed): string {
  const { fundingSource = 'history' } = costs;
  if (fundingSource === 'off') return 'Funding was left out: the costs are understated.';
  if (fundingSource === 'assumed')
    return `Funding is assumed at ${ratePct(costs)} every 8 hours, not what was settled.`;
  return 'Funding is not known for the whole window: the costs are understated.';
}

/** What a careful reader should know of the assumptions before believing the figures. */
export function assumptionWarnings(
  costs: Assumed,
  { tradeCount, isFundingKnown, ambiguousFraction }: BacktestSummary,
): string[] {
  const optimistic = `In ${formatPercent(ambiguousFraction)} of the trades one candle held the target and the stop or liquidation price, and the target was taken first: this is the optimistic bound.`;
  return [
    ...(tradeCount > 0 && !isFundingKnown ? [fundingWarning(costs)] : []),
    ...(costs.sameBar === 'target' && ambiguousFraction > 0 ? [optimistic] : []),
  ];
}
