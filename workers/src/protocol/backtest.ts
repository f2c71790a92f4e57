import type { CostNumbers } from '@sextant/engine-as/abi/costParameters.ts';
import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { FiguresOf } from '@sextant/engine-as/abi/metrics.ts';
import type { ClassicNumbers } from '@sextant/engine-as/abi/runParameters.ts';
import type { closeReasons, droppedFields, FieldsOf, hashFields, tradeFields } from './fields.ts';

/** Inputs and results of a backtest and of the indicators. */

/**
 * Closed candles as columns, oldest first, all of one length.
 * `time` is the bar's open in epoch ms (UTC), strictly increasing; prices in quote currency, finite, > 0; `volume` in base units, >= 0.
 */
export interface Candles {
  time: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

export interface IndicatorRequest {
  /** An id of the registry (engine-as/abi/registry.ts), e.g. `rsi`, `ema`, `sma20`. */
  id: string;
  /** Overrides of the registry's defaults by parameter name, e.g. `{ period: 50 }`. */
  params?: Record<string, number>;
  /** Name of this result in the output; the id when absent. Two requests may not share a name. */
  as?: string;
}

/** Trailing stop of Classic; engine-as/abi/runParameters.ts has its numbers. */
export interface Trailing extends ClassicNumbers<'trailing', 'field'> {
  enabled: boolean;
  /** `atr` keeps the stop average true ranges away instead of a fraction; `percent` when absent. */
  mode?: 'percent' | 'atr';
}

/** One set of parameters of Classic; engine-as/abi/runParameters.ts has its numbers. Fractions: 0.02 is 2 %. */
export interface StrategyParams extends ClassicNumbers<'params', 'field'> {
  /** Weight of each vote by vote id, 0..2 in tenths. A vote without a weight does not count. */
  weights: Record<string, number>;
  trailing: Trailing;
}

/** One row of a venue's risk table; it holds for notionals >= `notionalFloor`. */
export interface LeverageTier {
  notionalFloor: number;
  maintenanceMarginFraction: number;
  /** Deducted from the maintenance margin so that it does not jump at the floor, quote currency. */
  maintenanceAmount: number;
  leverageMax: number;
}

/** Trading costs and margin rules, the same for every set of one run; engine-as/abi/costParameters.ts has their numbers. */
export interface Costs extends CostNumbers {
  /** `market`: a touch of the target fills it as a taker. `limit`: the price must trade through it, then fills as a maker. */
  takeProfitOrder: 'market' | 'limit';
  /**
   * Historical funding: `rate` is paid by longs at `time` (epoch ms, increasing), on the mark price `mark` when it is known.
   * Absent: no funding is charged, and `isFundingKnown` is false.
   */
  funding?: { time: Float64Array; rate: Float64Array; mark?: Float64Array };
  /**
   * Source of the charged funding: the `funding` above (default), `assumedFundingFraction` at 0, 8 and 16 h UTC, or none. Only a history
   * without a gap makes the funding known.
   */
  fundingSource?: 'history' | 'assumed' | 'off';
  /** Order of exits in a candle that holds a loss level and the target; the loss (`stop`) first when absent. */
  sameBar?: 'stop' | 'target';
  /** Isolated-margin formula of the venue (docs/simulator.md); `binance` when absent. */
  liquidationModel?: VenueId;
  /** Risk table, floors ascending from 0; replaces `maintenanceMarginFraction` and limits the leverage. */
  tiers?: LeverageTier[];
  /** Whether a level may close a position in the candle of its entry; true when absent. False: one order a candle. */
  entryCandleExits?: boolean;
  /** A position that is open at the last close ends by an `order`, with slippage and fee (when absent), or at that close, a `mark`. */
  lastClose?: 'order' | 'mark';
  /** Whose rules these are. Changes no figure. */
  rulesOf?: {
    exchange: VenueId;
    symbol: string;
    /** The leverage that was set, where the exchange grants less at this size. */
    leverageAsked?: number;
    /** The exchange's tiers are unknown: `tiers` holds one maintenance rate and the limits of such runs. */
    areTiersAssumed?: boolean;
  };
}

/** Mark prices of the candles, the same length; they trigger liquidation and price the funding. */
export interface MarkPrices {
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
}

export interface BacktestInput {
  candles: Candles;
  params: StrategyParams;
  costs: Costs;
  /** Trades may open on the last `scoredCount` candles only; the earlier ones warm the indicators up. */
  scoredCount: number;
  markPrices?: MarkPrices;
  /**
   * Finer candles (1m) of the same symbol: they settle which level came first in a candle that holds stop and target. Only whole candles of
   * `candles` need them (workers/src/candles/settle.ts loads the requested ones).
   */
  fineCandles?: Candles;
}

export type CloseReason = (typeof closeReasons)[number];

export type Trade = FieldsOf<typeof tradeFields>;

export type DroppedSignals = FieldsOf<typeof droppedFields>;

/** What each figure means, its unit and when there is none: engine-as/abi/metrics.ts, by field. */
export type BacktestSummary = FiguresOf<'summary'> & {
  /** Signals that could not be filled; the reasons add up to `droppedSignalCount`. */
  droppedSignals: DroppedSignals;
};

/** Further figures of a run; derived from data that the result's hash covers, so the hash excludes them. */
export type BacktestAnalysis = FiguresOf<'analysis'>;

export interface BacktestResult {
  summary: BacktestSummary;
  analysis: BacktestAnalysis;
  trades: Trade[];
  /** Mark-to-market equity at the close of each scored candle, USDT; index 0 is the first scored candle. */
  equity: Float64Array;
  /** Score in [-1, 1] of each scored candle; NaN before every weighted vote is defined. */
  score: Float64Array;
  hashes: BacktestHashes;
  /** Index of each candle in which the order of two exits was in question, oldest first; of both same-bar orders when they differ. */
  askedBars: number[];
  /** The ones without finer candles. */
  unknownBars: number[];
}

export type BacktestHashes = FieldsOf<typeof hashFields>;

/** series[name][output][i] belongs to candle i; NaN during warm-up. */
export type IndicatorSeries = Record<string, Record<string, Float64Array>>;
