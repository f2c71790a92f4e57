import { TURNOVER_SHARE_WARNED } from '@sextant/engine-as/abi/backtest.ts';
import type { Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { formatCount, formatMany, formatPercent } from '../../../format/number.ts';
import type { Run } from '../backtestState.ts';

type Sized = Pick<Costs, 'impactCoefficient' | 'turnoverShareMax'>;
type Filled = Pick<Run, 'costs' | 'result'>;

const isPriced = ({ impactCoefficient = 0 }: Sized): boolean => impactCoefficient > 0;

/** `by turnover, entries up to 10 % of a candle`, or `ignored`. */
export function orderSizeName(costs: Sized): string {
  const { turnoverShareMax = 0 } = costs;
  const limit = turnoverShareMax > 0 ? `entries up to ${formatPercent(turnoverShareMax)} of a candle` : '';
  return [isPriced(costs) ? 'by turnover' : '', limit].filter((part) => part !== '').join(', ') || 'ignored';
}

/** `Order size by turnover, entries up to 10 % of a candle: median 0.01 %, largest 0.20 % of the turnover`. */
export function liquidityWords({ costs, result: { analysis, summary } }: Filled): string {
  const { turnoverShareLargest: largest, turnoverShareMedian: median } = analysis;
  const name = `Order size ${orderSizeName(costs)}`;
  if (summary.tradeCount === 0) return name;
  if (largest === null || median === null) return 'Liquidity unknown: the candles have no volume';
  return `${name}: median ${formatPercent(median)}, largest ${formatPercent(largest)} of the turnover`;
}

/** Orders that are large for the market they were filled in. */
export function liquidityWarnings({ costs, result: { analysis } }: Filled): string[] {
  const { turnoverShareLargest: largest, largeFillTradeCount: large, limitedEntryCount: limited } = analysis;
  const warnings: string[] = [];
  if (large > 0 && largest !== null) {
    const cost = isPriced(costs) ? 'They pay more slippage.' : 'Set Order size to By turnover to price them.';
    warnings.push(
      `${formatMany(large, 'trade')} took over ${formatPercent(TURNOVER_SHARE_WARNED)} of a candle's turnover, up to ${formatPercent(largest)}. ${cost}`,
    );
  }
  if (limited > 0)
    warnings.push(
      `${limited === 1 ? '1 entry' : `${formatCount(limited)} entries`} cut to ${formatPercent(costs.turnoverShareMax ?? 0)} of a candle's turnover. Use a smaller size.`,
    );
  return warnings;
}
