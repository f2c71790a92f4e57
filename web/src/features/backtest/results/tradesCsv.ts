import type { Trade } from '@sextant/workers/src/protocol.ts';
import { csvText } from './csvCell.ts';

const columns = [
  'side',
  'entryTimeMs',
  'exitTimeMs',
  'entryPrice',
  'exitPrice',
  'quantity',
  'closeReason',
  'grossPnl',
  'fees',
  'funding',
  'slippage',
  'netPnl',
  'returnOnMargin',
  'isAmbiguous',
  'adverseExcursionFraction',
  'favourableExcursionFraction',
  'stopLossPrice',
  'takeProfitPrice',
  'liquidationPrice',
] as const satisfies readonly (keyof Trade)[];

/** The trades as CSV, numbers in full: times are epoch ms, the other units are in the names. */
export function tradesCsv(trades: readonly Trade[]): string {
  return csvText([columns, ...trades.map((trade) => columns.map((column) => trade[column]))]);
}
