import { metricRegistry } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestSummary, Costs, Trade } from '@sextant/workers/src/protocol.ts';

/** What a number of an exported file is counted in; null for words and hashes. */
export type Unit =
  'USDT' | 'fraction' | 'epoch ms' | 'candles' | 'count' | 'ratio' | 'coins' | 'index' | 'true or false' | null;

/** Every field of a trade. Prices are those of the quote currency, which this product takes for USDT. */
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

/** Every figure of a summary; the reasons of dropped signals are counts. */
export const summaryUnits = {
  loadedCount: 'candles',
  scoredCount: 'candles',
  tradeCount: 'count',
  longCount: 'count',
  shortCount: 'count',
  forcedCloseCount: 'count',
  liquidationCount: 'count',
  skippedSignalCount: 'count',
  droppedSignalCount: 'count',
  droppedSignals: 'count',
  stopBeyondLiquidationCount: 'count',
  netPnl: 'USDT',
  grossPnl: 'USDT',
  fees: 'USDT',
  funding: 'USDT',
  slippage: 'USDT',
  isFundingKnown: 'true or false',
  winRate: 'fraction',
  maxDrawdownFraction: 'fraction',
  profitFactor: 'ratio',
  expectancy: 'USDT',
  exposureFraction: 'fraction',
  sharpe: 'ratio',
  sortino: 'ratio',
  pessimisticNetPnl: 'USDT',
  optimisticNetPnl: 'USDT',
  ambiguousFraction: 'fraction',
  buyAndHoldFraction: 'fraction',
  ruinIndex: 'index',
  gapCount: 'count',
  missingCandleCount: 'candles',
} as const satisfies Record<keyof BacktestSummary, Unit>;

const unitNames = { USDT: 'USDT', candle: 'candles', count: 'count', fraction: 'fraction', ratio: 'ratio' } as const;

/** The figures behind the summary, in the units of the engine's registry; a test holds them complete. */
export const analysisUnits: Partial<Record<string, Unit>> = {
  dayCount: 'count',
  ...Object.fromEntries(
    metricRegistry.flatMap((each) => ('group' in each ? [[each.field, unitNames[each.unit]]] : [])),
  ),
};

/** Costs with a unit that their name does not say. */
export const costUnits = {
  initialEquity: 'USDT',
  notional: 'USDT',
  leverage: 'ratio',
  takeProfitOrder: null,
  fundingSource: null,
  sameBar: null,
} as const satisfies Partial<Record<keyof Costs, Unit>>;

/** `netPnl (USDT)`: a column that can be read without the manual. */
export const withUnit = (name: string, unit: string | null): string => (unit === null ? name : `${name} (${unit})`);
