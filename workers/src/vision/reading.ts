import type { PixelCandle } from './candles.ts';
import type { Rgb } from './raster.ts';

/** A decoded picture: rows from the top, four bytes (red, green, blue, opacity) a pixel. */
export interface ChartImage {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** In pixels of the picture; right and bottom are the first column and row outside. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A candle in prices of the axis. `index`: its place in the row of candles, from 0; places that could not be read are missing. */
export interface PriceCandle {
  index: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** The candles in prices, by a scale fitted through the labels of the price axis. */
export interface PriceReading {
  candles: PriceCandle[];
  scale: 'linear' | 'log';
  /** Largest distance of a used label from the fitted scale, as a share of the height between the outermost used labels. */
  residualFraction: number;
  /** Labels the scale goes through, and labels that were read. */
  labelsUsed: number;
  labelsRead: number;
}

/** A piece of text that was understood. `confidence`: 0 to 1, as the character reader states it. */
export interface TextValue {
  value: string;
  confidence: number;
}

/** A number at the price axis and the row of its middle. */
export interface PriceLabel {
  price: number;
  y: number;
  confidence: number;
}

/** A time or date below the chart, as it is written, and the column of its middle. */
export interface DateLabel {
  text: string;
  x: number;
}

/**
 * The text of a chart. A picture is written by strangers: only a symbol of `symbolPattern.ts`, a known interval, numbers and dates leave
 * the reader, anything else is null or missing.
 */
export interface ChartText {
  /** As exchanges write it (`BTCUSDT`). The claim of the picture's text, not verified by its candles. */
  symbol: TextValue | null;
  interval: TextValue | null;
  priceLabels: PriceLabel[];
  dateLabels: DateLabel[];
}

/** A curve over the candles: an average, a band. One place for each of the candles read, null where it could not be followed. */
export interface IndicatorLine {
  colour: Rgb;
  rows: (number | null)[];
  /** In prices of the axis; null as long as the axis is not read. */
  values: (number | null)[] | null;
}

/** Volume bars: the common row they stand on and their heights in pixels, one for each of the candles read, 0 where one has none. */
export interface VolumeReading {
  base: number;
  heights: number[];
}

/** The reading of a chart picture. Rows and columns are pixels of the picture, rows run down. */
export interface ChartReading {
  kind: 'chart';
  /** A line has closes only: open, high, low and close of its candles are the same row. */
  style: 'candles' | 'line';
  /** Smallest area around the candles. */
  plot: Area;
  background: Rgb;
  /** Colours of rising and falling candles; twice the colour of the line for a line. */
  up: Rgb;
  down: Rgb;
  /** Distance between the centres of neighbours. */
  step: number;
  candles: PixelCandle[];
  /** Null when the axis could not be read, or when text was not requested. */
  prices: PriceReading | null;
  /** Null when it was not requested or the reader of characters failed: `textFailure` says why. */
  text: ChartText | null;
  textFailure: 'timeout' | 'failed' | null;
  /** In a colour that is not of the candles; candle charts only. */
  indicators: IndicatorLine[];
  /** Null where no bars stand on one row; candle charts only. */
  volume: VolumeReading | null;
}

export interface NotAChart {
  kind: 'notAChart';
  /**
   * `tooSmall`: fewer pixels than a chart needs. `noCandles`: no row of candles and no line of prices was found. `tooFewCandles`: a row of
   * candles, but fewer than can be judged.
   */
  reason: 'tooSmall' | 'noCandles' | 'tooFewCandles';
  /** Candles found; with `tooFewCandles` only. */
  candleCount?: number;
}

export interface ReadProgress {
  step: 'shapes' | 'text' | 'prices';
  /** Share of the whole reading that is done, 0 to 1. */
  fraction: number;
}

export interface ReadOptions {
  /** Reads symbol, interval and axes too. Costs a separate worker for some seconds. */
  withText: boolean;
  onProgress?: (progress: ReadProgress) => void;
  /** Deadline of the text, milliseconds; 20 s by default. Shapes have none: their cost is bounded by the number of pixels. */
  textDeadlineMs?: number;
}
