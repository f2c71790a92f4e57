import { summarySlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { SingleRun } from './market.ts';

/** Names of the figures in which the fast kernel's row and the single run differ by a bit; empty when they agree. */
export function differences(row: Float64Array, { summary }: SingleRun): string[] {
  const fast = (field: number): number => row[field] ?? Number.NaN;
  const plain = (slot: number): number => summary[slot] ?? Number.NaN;
  const trades = fast(abi.RESULT_TRADE_COUNT);
  const loss = fast(abi.RESULT_LOSS);
  const pairs: [name: string, fast: number, plain: number][] = [
    ['netPnl', fast(abi.RESULT_NET_PNL), plain(summarySlot.netPnl)],
    ['tradeCount', trades, plain(summarySlot.tradeCount)],
    ['winRate', trades > 0 ? fast(abi.RESULT_WIN_COUNT) / trades : Number.NaN, plain(summarySlot.winRate)],
    ['profitFactor', loss > 0 ? fast(abi.RESULT_GAIN) / loss : Number.NaN, plain(summarySlot.profitFactor)],
    ['ambiguousCount', fast(abi.RESULT_AMBIGUOUS_COUNT), plain(summarySlot.ambiguousCount)],
    ['heldBarCount', fast(abi.RESULT_HELD_BAR_COUNT), plain(summarySlot.heldBarCount)],
  ];
  if (!Number.isNaN(fast(abi.RESULT_MAX_DRAWDOWN))) {
    pairs.push(
      ['maxDrawdown', fast(abi.RESULT_MAX_DRAWDOWN), plain(summarySlot.maxDrawdownFraction)],
      ['sharpe', fast(abi.RESULT_SHARPE), plain(summarySlot.sharpe)],
      ['sortino', fast(abi.RESULT_SORTINO), plain(summarySlot.sortino)],
    );
  }
  return pairs.filter(([, a, b]) => !Object.is(a, b)).map(([name, a, b]) => `${name} ${a} is not ${b}`);
}
