import { analysisSlot, summarySlot, TRADE_LENGTH, tradeSlot } from '@sextant/engine-as/abi/records.ts';
import { type FiguresOf, figuresOf, type MetricEntry, type Statistic } from '@sextant/engine-as/abi/metrics.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { BacktestAnalysis, BacktestSummary, CloseReason, Trade } from '../protocol/backtest.ts';

const closeReasons: Record<number, CloseReason> = {
  [abi.CLOSE_TAKE_PROFIT]: 'TP',
  [abi.CLOSE_STOP_LOSS]: 'SL',
  [abi.CLOSE_LIQUIDATION]: 'LIQ',
  [abi.CLOSE_END]: 'END',
  [abi.CLOSE_TIME]: 'TIME',
  [abi.CLOSE_SIGNAL]: 'SIGNAL',
  [abi.CLOSE_RULE]: 'RULE',
};

type Struct = (slot: number) => number;
const structAt =
  (values: Float64Array, from = 0): Struct =>
  (slot) =>
    values[from + slot] ?? Number.NaN;

/** The engine writes NaN for a missing figure. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** @param records f64[count * TRADE_LENGTH] */
export function readTrades(records: Float64Array): Trade[] {
  const trades: Trade[] = [];
  for (let from = 0; from < records.length; from += TRADE_LENGTH) trades.push(readTrade(structAt(records, from)));
  return trades;
}

/** One trade whose numbers `slot` reads. */
export function readTrade(slot: Struct): Trade {
  const closeReason = closeReasons[slot(tradeSlot.closeReason)];
  if (closeReason === undefined) throw new Error(`close reason ${slot(tradeSlot.closeReason)}`);
  return {
    side: slot(tradeSlot.side) > 0 ? 'LONG' : 'SHORT',
    entryIndex: slot(tradeSlot.entryIndex),
    exitIndex: slot(tradeSlot.exitIndex),
    entryTimeMs: slot(tradeSlot.entryTime),
    exitTimeMs: slot(tradeSlot.exitTime),
    entryPrice: slot(tradeSlot.entryPrice),
    exitPrice: slot(tradeSlot.exitPrice),
    quantity: slot(tradeSlot.quantity),
    closeReason,
    grossPnl: slot(tradeSlot.grossPnl),
    fees: slot(tradeSlot.fees),
    funding: slot(tradeSlot.funding),
    slippage: slot(tradeSlot.slippage),
    netPnl: slot(tradeSlot.netPnl),
    returnOnMargin: slot(tradeSlot.returnOnMargin),
    isAmbiguous: slot(tradeSlot.isAmbiguous) > 0,
    adverseExcursionFraction: slot(tradeSlot.adverseExcursion),
    favourableExcursionFraction: slot(tradeSlot.favourableExcursion),
    stopLossPrice: slot(tradeSlot.stopPrice),
    takeProfitPrice: slot(tradeSlot.targetPrice),
    liquidationPrice: orNull(slot(tradeSlot.liquidationPrice)),
    margin: slot(tradeSlot.margin),
  };
}

/** Value of a record's number: a missing figure is NaN in the engine and null in a result. */
function figureOf({ kind, notEnoughData }: MetricEntry, value: number): number | boolean | null {
  if (kind === 'flag') return value > 0;
  return notEnoughData === undefined ? value : orNull(value);
}

/** The figures of a record as the registry declares them; statistics and derived figures are left to the caller. */
function readFigures(record: 'summary' | 'analysis', slots: Readonly<Record<string, number>>, read: Struct): object {
  return Object.fromEntries(
    figuresOf(record).flatMap((entry) => {
      const slot = slots[entry.field];
      return slot === undefined || entry.kind === 'statistic' ? [] : [[entry.field, figureOf(entry, read(slot))]];
    }),
  );
}

/** @param values f64[ANALYSIS_LENGTH] */
export function readAnalysis(values: Float64Array): BacktestAnalysis {
  return readFigures('analysis', analysisSlot, structAt(values)) as BacktestAnalysis;
}

/** @param values f64[SUMMARY_LENGTH] */
export function readSummary(values: Float64Array): BacktestSummary {
  const slot = structAt(values);
  const days = slot(summarySlot.dayCount);
  const droppedSignals = {
    noVolume: slot(summarySlot.droppedNoVolumeCount),
    tooSmall: slot(summarySlot.droppedTooSmallCount),
    marginShort: slot(summarySlot.droppedMarginCount),
  };
  const figures = {
    ...readFigures('summary', summarySlot, slot),
    sharpe: sharpeOf(slot, days),
    sortino: statistic(slot(summarySlot.sortino), slot(summarySlot.sortinoState), days, 'no day lost money'),
    droppedSignalCount: droppedSignals.noVolume + droppedSignals.tooSmall + droppedSignals.marginShort,
  };
  return { ...(figures as FiguresOf<'summary'>), droppedSignals };
}

function sharpeOf(slot: Struct, days: number): Statistic {
  const state = slot(summarySlot.sharpeState);
  const sharpe = statistic(slot(summarySlot.sharpe), state, days, 'the daily returns do not vary');
  return sharpe.value === null ? sharpe : { ...sharpe, standardError: slot(summarySlot.sharpeError) };
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
