import type { Candles, Trade } from '@sextant/workers/src/protocol.ts';
import type { PlotColumn } from './columns.ts';

/** A line under the candles that shares their time axis; one value per loaded candle. */
export interface LinePane {
  id: string;
  label: string;
  values: PlotColumn;
  colour: 'accent' | 'down' | 'muted' | 'up';
  /** Filled down to zero, or up to it below. */
  isFilled: boolean;
  /** Dashed horizontal lines, in the unit of the values. */
  levels: readonly number[];
  /** Height relative to the candles, which have 1. */
  weight: number;
  format: (value: number | null | undefined) => string;
}

/** What is drawn of a trade: indices are those of the loaded candles. */
export type ChartTrade = Pick<Trade, 'side' | 'entryIndex' | 'exitIndex' | 'entryPrice' | 'exitPrice' | 'netPnl'> &
  Partial<Pick<Trade, 'stopLossPrice' | 'takeProfitPrice'>>;

/** A price across the whole plot, with its name. */
export interface ChartLevel {
  price: number;
  label: string;
  colour: 'accent' | 'down' | 'up';
}

/** A story at the candle in which it was first seen. */
export interface ChartMark {
  /** Of the loaded candles. */
  index: number;
  /** When it was first seen, epoch ms. */
  atMs: number;
  title: string;
  direction: 'bullish' | 'bearish' | 'neutral';
}

/** A line over the candles, by index of a loaded candle and price. */
export interface ChartLine {
  points: readonly { index: number; price: number }[];
  colour: 'down' | 'muted' | 'up';
}

export interface ChartModel {
  candles: Candles;
  priceDecimals: number;
  /** First scored candle; what lies before only warmed the indicators up. 0 shades nothing. */
  scoredFrom: number;
  trades: readonly ChartTrade[];
  panes: readonly LinePane[];
  /** One far from the candles stands at the edge with its price; none when absent. */
  levels?: readonly ChartLevel[];
  /** The stop in force in each candle, drawn as steps; null where there was none. */
  stops?: PlotColumn;
  /** News, in the order in which several of one candle are told. */
  marks?: readonly ChartMark[];
  /** Formations. */
  lines?: readonly ChartLine[];
}
