import * as abi from '@sextant/engine-as/abi/portfolio.ts';
import { ACCOUNT_TRADE_LENGTH, accountTradeSlot, summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { PortfolioTrade } from '../../protocol/portfolio.ts';
import type { PortfolioSkips } from '../../protocol/portfolioFigures.ts';
import { readTrade } from '../readResult.ts';

/** Account trades by symbol name. @param records AccountTrade records, one after the other */
export function accountTradesOf(records: Float64Array, symbols: readonly string[]): PortfolioTrade[] {
  const trades: PortfolioTrade[] = [];
  for (let from = 0; from < records.length; from += ACCOUNT_TRADE_LENGTH) {
    const slot = (index: number): number => records[from + index] ?? Number.NaN;
    const symbol = symbols[slot(accountTradeSlot.symbol)];
    if (symbol === undefined) throw new Error(`trade of symbol ${slot(accountTradeSlot.symbol)}`);
    trades.push({ ...readTrade(slot), symbol, exitStep: slot(accountTradeSlot.step) });
  }
  return trades;
}

/** Where each reason is counted: by the simulator in the summary of the symbol, or by the account. */
const inSummary = {
  held: summarySlot.skippedSignalCount,
  noVolume: summarySlot.droppedNoVolumeCount,
  tooSmall: summarySlot.droppedTooSmallCount,
  marginShort: summarySlot.droppedMarginCount,
} as const;

const byAccount = {
  positionsWanted: abi.SKIP_POSITIONS_WANTED,
  maxConcurrent: abi.SKIP_MAX_CONCURRENT,
  dailyLoss: abi.SKIP_DAILY_LOSS,
  stopStreak: abi.SKIP_STOP_STREAK,
  drawdown: abi.SKIP_DRAWDOWN,
  stopBeyondLiquidation: abi.SKIP_STOP_BEYOND_LIQUIDATION,
  grossExposure: abi.SKIP_GROSS,
  netExposure: abi.SKIP_NET,
  stopLosses: abi.SKIP_STOP_LOSSES,
} as const;

export const skipNames = [...Object.keys(inSummary), ...Object.keys(byAccount)] as (keyof PortfolioSkips)[];

/** Skipped signals of one symbol. @param summary f64[SUMMARY_LENGTH] @param skips i32[ACCOUNT_SKIP_COUNT] */
export function skipsOf(summary: Float64Array, skips: Int32Array): PortfolioSkips {
  const counted = Object.entries(inSummary).map(([name, slot]) => [name, summary[slot] ?? 0]);
  const ofAccount = Object.entries(byAccount).map(([name, reason]) => [name, skips[reason] ?? 0]);
  return Object.fromEntries([...counted, ...ofAccount]) as PortfolioSkips;
}

export function addSkips(all: readonly PortfolioSkips[]): PortfolioSkips {
  const totals = skipNames.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)]);
  return Object.fromEntries(totals) as PortfolioSkips;
}
