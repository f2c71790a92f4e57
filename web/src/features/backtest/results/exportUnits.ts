import { costRows } from '@sextant/engine-as/abi/costParameters.ts';
import { figuresOf } from '@sextant/engine-as/abi/metrics.ts';
import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';

/** Unit of a number in an exported file; null for texts and hashes. */
export type Unit =
  | 'USDT'
  | 'fraction'
  | 'epoch ms'
  | 'candles'
  | 'count'
  | 'ratio'
  | 'coins'
  | 'index'
  | 'true or false'
  | null;

/** Every field of a trade. Prices are in the quote currency, which this product treats as USDT. */
export const tradeUnits = {
  side: null,
  entryIndex: 'index',
  exitIndex: 'index',
  entryTimeMs: 'epoch ms',
  exitTimeMs: 'epoch ms',
  entryPrice: 'USDT',
  exitPrice: 'USDT',
  quantity: 'coins',
  closeReason: null,
  grossPnl: 'USDT',
  fees: 'USDT',
  funding: 'USDT',
  slippage: 'USDT',
  netPnl: 'USDT',
  returnOnMargin: 'fraction',
  isAmbiguous: 'true or false',
  adverseExcursionFraction: 'fraction',
  favourableExcursionFraction: 'fraction',
  stopLossPrice: 'USDT',
  takeProfitPrice: 'USDT',
  liquidationPrice: 'USDT',
  margin: 'USDT',
} as const satisfies Record<keyof Trade, Unit>;

/** The figures of a record in the units of the engine's registry. */
const unitsOf = (record: 'summary' | 'analysis'): Record<string, Unit> =>
  Object.fromEntries(figuresOf(record).map(({ field, unit }) => [field, unit === 'candle' ? 'candles' : unit]));

/** The reasons of dropped signals are counts. */
export const summaryUnits: Partial<Record<string, Unit>> = { ...unitsOf('summary'), droppedSignals: 'count' };
export const analysisUnits: Partial<Record<string, Unit>> = unitsOf('analysis');

/** Costs that are numbers; the others are texts and rows. */
export const costUnits: Partial<Record<string, Unit>> = Object.fromEntries(
  costRows.map(({ name, unit }) => [name, unit]),
);

/** `netPnl (USDT)`: a column that can be read without the manual. */
export const withUnit = (name: string, unit: string | null): string => (unit === null ? name : `${name} (${unit})`);

const MARK = '\u0001-0';
const marked = JSON.stringify(MARK);

/** JSON in which a negative zero keeps its sign: the hash covers it, and JSON.stringify drops it. */
export function exactJson(value: unknown, indent?: number): string {
  const keepSign = (_key: string, each: unknown): unknown => (Object.is(each, -0) ? MARK : each);
  return JSON.stringify(value, keepSign, indent).replaceAll(marked, '-0');
}
