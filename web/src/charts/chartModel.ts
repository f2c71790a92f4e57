import type { Candles, Trade } from '@sextant/workers/src/protocol/backtest.ts';

/** Colours of the lines of indicators, in the order in which they are given out. */
export const seriesColours = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const;
type SeriesColour = (typeof seriesColours)[number];

/** A line with one value per loaded candle. */
export interface PlotLine {
  label: string;
  values: PlotColumn;
  colour: 'accent' | 'down' | 'muted' | 'up' | SeriesColour;
  /** Filled down to zero, or up to it below. */
  isFilled: boolean;
  /** Bars from zero in place of a line. */
  isBars?: boolean;
}

/** Lines of one indicator over the candles, on the scale of the prices. */
export interface ChartOverlay {
  id: string;
  label: string;
  lines: readonly PlotLine[];
}

/** The candle that has not closed, with the data so far. */
export interface FormingCandle {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** A line under the candles that shares their time axis; one value per loaded candle. */
export interface LinePane extends PlotLine {
  id: string;
  /** Further lines on the same scale. */
  others?: readonly PlotLine[];
  /** Dashed horizontal lines, in the unit of the values. */
  levels: readonly number[];
  /** Height relative to the candles, which have 1. */
  weight: number;
  format: (value: number | null | undefined) => string;
}

/** The drawn part of a trade: indices refer to the loaded candles. */
export type ChartTrade = Pick<Trade, 'side' | 'entryIndex' | 'exitIndex' | 'entryPrice' | 'exitPrice' | 'netPnl'> &
  Partial<Pick<Trade, 'stopLossPrice' | 'takeProfitPrice'>>;

/** A price across the whole plot, with its name. */
export interface ChartLevel {
  /** Named levels can be dragged where the chart has a mover. */
  id?: string;
  price: number;
  label: string;
  colour: 'accent' | 'down' | 'up';
}

/** A story at the candle in which it was first seen. */
export interface ChartMark {
  /** Index in the loaded candles. */
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
  /** First scored candle; earlier ones only warm the indicators up. 0 shades nothing. */
  scoredFrom: number;
  trades: readonly ChartTrade[];
  panes: readonly LinePane[];
  /** A level far from the candles is drawn at the edge with its price; none when absent. */
  levels?: readonly ChartLevel[];
  /** The stop active in each candle, drawn as steps; null where there was none. */
  stops?: PlotColumn;
  /** News, in the order in which several stories of one candle are listed. */
  marks?: readonly ChartMark[];
  /** Formations. */
  lines?: readonly ChartLine[];
  overlays?: readonly ChartOverlay[];
  /** Drawn separately, after the last closed candle. */
  forming?: FormingCandle | null;
}

/** uPlot draws `null` as a gap and stumbles over NaN: this is where the engine's columns change hands. */
export type PlotColumn = (number | null)[];

export function plotColumn(values: ArrayLike<number>, scale = 1): PlotColumn {
  return Array.from(values, (value) => (Number.isFinite(value) ? value * scale : null));
}

/** A column of the scored window on the axis of all loaded candles: empty where the indicators only warmed up. */
export function alignToLoaded(scored: ArrayLike<number>, loadedCount: number, scale = 1): PlotColumn {
  const from = loadedCount - scored.length;
  return Array.from({ length: loadedCount }, (_, i) => {
    const value = scored[i - from];
    return value !== undefined && Number.isFinite(value) ? value * scale : null;
  });
}

/**
 * Fall of equity from its running peak, in percent of the peak, 0 or below.
 * @param startEquity USDT before the first candle; a loss in the first candle is a drawdown too
 */
export function drawdownPct(equity: ArrayLike<number>, startEquity: number): Float64Array {
  const out = new Float64Array(equity.length);
  let peak = startEquity;
  for (let i = 0; i < out.length; i++) {
    const value = equity[i] ?? NaN;
    if (value > peak) peak = value;
    out[i] = peak > 0 ? ((value - peak) / peak) * 100 : 0;
  }
  return out;
}
