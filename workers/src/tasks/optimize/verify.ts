import * as backtestAbi from '@sextant/engine-as/abi/backtest.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { SingleRun } from './market.ts';

/** Names of the figures in which the fast kernel's row and the single run differ by a bit; none when all is well. */
export function differences(row: Float64Array, { summary }: SingleRun): string[] {
  const fast = (field: number): number => row[field] ?? Number.NaN;
  const plain = (slot: number): number => summary[slot] ?? Number.NaN;
  const trades = fast(abi.RESULT_TRADE_COUNT);
  const loss = fast(abi.RESULT_LOSS);
  const pairs: [name: string, fast: number, plain: number][] = [
    ['netPnl', fast(abi.RESULT_NET_PNL), plain(backtestAbi.SUMMARY_NET_PNL)],
    ['tradeCount', trades, plain(backtestAbi.SUMMARY_TRADE_COUNT)],
    ['winRate', trades > 0 ? fast(abi.RESULT_WIN_COUNT) / trades : Number.NaN, plain(backtestAbi.SUMMARY_WIN_RATE)],
    ['profitFactor', loss > 0 ? fast(abi.RESULT_GAIN) / loss : Number.NaN, plain(backtestAbi.SUMMARY_PROFIT_FACTOR)],
    ['ambiguousCount', fast(abi.RESULT_AMBIGUOUS_COUNT), plain(backtestAbi.SUMMARY_AMBIGUOUS_COUNT)],
    ['heldBarCount', fast(abi.RESULT_HELD_BAR_COUNT), plain(backtestAbi.SUMMARY_HELD_BAR_COUNT)],
  ];
  if (!Number.isNaN(fast(abi.RESULT_MAX_DRAWDOWN))) {
    pairs.push(
      ['maxDrawdown', fast(abi.RESULT_MAX_DRAWDOWN), plain(backtestAbi.SUMMARY_MAX_DRAWDOWN)],
      ['sharpe', fast(abi.RESULT_SHARPE), plain(backtestAbi.SUMMARY_SHARPE)],
      ['sortino', fast(abi.RESULT_SORTINO), plain(backtestAbi.SUMMARY_SORTINO)],
    );
  }
  return pairs.filter(([, a, b]) => !Object.is(a, b)).map(([name, a, b]) => `${name} ${a} is not ${b}`);
}
