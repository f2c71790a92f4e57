import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { BacktestSummary, CloseReason, Statistic, Trade } from '../protocol.ts';

const closeReasons: Record<number, CloseReason> = {
  [abi.CLOSE_TAKE_PROFIT]: 'TP',
  [abi.CLOSE_STOP_LOSS]: 'SL',
  [abi.CLOSE_LIQUIDATION]: 'LIQ',
  [abi.CLOSE_END]: 'END',
  [abi.CLOSE_TIME]: 'TIME',
};

type Struct = (slot: number) => number;
const structAt =
  (values: Float64Array, from = 0): Struct =>
  (slot) =>
    values[from + slot] ?? Number.NaN;

/** NaN is how the engine says "there is none". */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** @param records f64[count * TRADE_LENGTH] */
export function readTrades(records: Float64Array): Trade[] {
  const trades: Trade[] = [];
  for (let from = 0; from < records.length; from += abi.TRADE_LENGTH) trades.push(readTrade(structAt(records, from)));
  return trades;
}

function readTrade(slot: Struct): Trade {
  const closeReason = closeReasons[slot(abi.TRADE_CLOSE_REASON)];
  if (closeReason === undefined) throw new Error(`close reason ${slot(abi.TRADE_CLOSE_REASON)}`);
  return {
    side: slot(abi.TRADE_SIDE) > 0 ? 'LONG' : 'SHORT',
    entryIndex: slot(abi.TRADE_ENTRY_INDEX),
    exitIndex: slot(abi.TRADE_EXIT_INDEX),
    entryTimeMs: slot(abi.TRADE_ENTRY_TIME),
    exitTimeMs: slot(abi.TRADE_EXIT_TIME),
    entryPrice: slot(abi.TRADE_ENTRY_PRICE),
    exitPrice: slot(abi.TRADE_EXIT_PRICE),
    quantity: slot(abi.TRADE_QUANTITY),
    closeReason,
    grossPnl: slot(abi.TRADE_GROSS_PNL),
    fees: slot(abi.TRADE_FEES),
    funding: slot(abi.TRADE_FUNDING),
    slippage: slot(abi.TRADE_SLIPPAGE),
    netPnl: slot(abi.TRADE_NET_PNL),
    returnOnMargin: slot(abi.TRADE_RETURN_ON_MARGIN),
    isAmbiguous: slot(abi.TRADE_IS_AMBIGUOUS) > 0,
    adverseExcursionFraction: slot(abi.TRADE_ADVERSE_EXCURSION),
    favourableExcursionFraction: slot(abi.TRADE_FAVOURABLE_EXCURSION),
    stopLossPrice: slot(abi.TRADE_STOP_PRICE),
    takeProfitPrice: slot(abi.TRADE_TARGET_PRICE),
    liquidationPrice: orNull(slot(abi.TRADE_LIQUIDATION_PRICE)),
    margin: slot(abi.TRADE_MARGIN),
  };
}

export function readSummary(values: Float64Array): BacktestSummary {
  const slot = structAt(values);
  const days = slot(abi.SUMMARY_DAY_COUNT);
  const droppedSignals = {
    noVolume: slot(abi.SUMMARY_DROPPED_NO_VOLUME_COUNT),
    tooSmall: slot(abi.SUMMARY_DROPPED_TOO_SMALL_COUNT),
    marginShort: slot(abi.SUMMARY_DROPPED_MARGIN_COUNT),
  };
  return {
    loadedCount: slot(abi.SUMMARY_LOADED_COUNT),
    scoredCount: slot(abi.SUMMARY_SCORED_COUNT),
    tradeCount: slot(abi.SUMMARY_TRADE_COUNT),
    longCount: slot(abi.SUMMARY_LONG_COUNT),
    shortCount: slot(abi.SUMMARY_SHORT_COUNT),
    forcedCloseCount: slot(abi.SUMMARY_FORCED_CLOSE_COUNT),
    liquidationCount: slot(abi.SUMMARY_LIQUIDATION_COUNT),
    skippedSignalCount: slot(abi.SUMMARY_SKIPPED_SIGNAL_COUNT),
    droppedSignalCount: droppedSignals.noVolume + droppedSignals.tooSmall + droppedSignals.marginShort,
    droppedSignals,
    stopBeyondLiquidationCount: slot(abi.SUMMARY_STOP_BEYOND_LIQUIDATION_COUNT),
    netPnl: slot(abi.SUMMARY_NET_PNL),
    grossPnl: slot(abi.SUMMARY_GROSS_PNL),
    fees: slot(abi.SUMMARY_FEES),
    funding: slot(abi.SUMMARY_FUNDING),
    slippage: slot(abi.SUMMARY_SLIPPAGE),
    isFundingKnown: slot(abi.SUMMARY_IS_FUNDING_KNOWN) > 0,
    winRate: orNull(slot(abi.SUMMARY_WIN_RATE)),
    maxDrawdownFraction: slot(abi.SUMMARY_MAX_DRAWDOWN),
    profitFactor: orNull(slot(abi.SUMMARY_PROFIT_FACTOR)),
    expectancy: orNull(slot(abi.SUMMARY_EXPECTANCY)),
    exposureFraction: slot(abi.SUMMARY_EXPOSURE),
    sharpe: sharpeOf(slot, days),
    sortino: statistic(slot(abi.SUMMARY_SORTINO), slot(abi.SUMMARY_SORTINO_STATE), days, 'no day lost money'),
    pessimisticNetPnl: slot(abi.SUMMARY_PESSIMISTIC_NET_PNL),
    optimisticNetPnl: slot(abi.SUMMARY_OPTIMISTIC_NET_PNL),
    ambiguousFraction: slot(abi.SUMMARY_AMBIGUOUS_FRACTION),
    buyAndHoldFraction: slot(abi.SUMMARY_BUY_AND_HOLD),
    ruinIndex: orNull(slot(abi.SUMMARY_RUIN_INDEX)),
    gapCount: slot(abi.SUMMARY_GAP_COUNT),
    missingCandleCount: slot(abi.SUMMARY_MISSING_CANDLE_COUNT),
  };
}

function sharpeOf(slot: Struct, days: number): Statistic {
  const state = slot(abi.SUMMARY_SHARPE_STATE);
  const sharpe = statistic(slot(abi.SUMMARY_SHARPE), state, days, 'the daily returns do not vary');
  return sharpe.value === null ? sharpe : { ...sharpe, standardError: slot(abi.SUMMARY_SHARPE_ERROR) };
}

function statistic(value: number, state: number, count: number, withoutVariation: string): Statistic {
  if (state === abi.STATISTIC_OK) return { value, count };
  const reasons: Record<number, string> = {
    [abi.STATISTIC_TOO_FEW_DAYS]: `not enough data: ${count} of ${abi.STATISTIC_DAYS_MIN} days`,
    [abi.STATISTIC_NO_VARIATION]: withoutVariation,
    [abi.STATISTIC_RUINED]: 'the equity was used up',
  };
  return { value: null, count, reason: reasons[state] ?? `state ${state}` };
}
