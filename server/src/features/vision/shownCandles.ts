import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import { LINES_MAX, SHOWN_CANDLES_MAX, type VisionResult } from './contract.ts';
import type { Grounded } from './groundPicture.ts';
import type { ReadPicture } from './readPicture.ts';
import { type Material, volumeOf } from './material.ts';

/** The part of an analysis shown in its response: candles, with positions and curves as fractions of the picture. */

export interface Shown {
  wire: NonNullable<VisionResult['candles']>;
  /** Index of the first shown candle in the analysis. */
  offset: number;
}

/** The candles of the picture, the newest when there are too many. */
export function shownCandles(
  { base: { candles }, hasPrices }: Material,
  reading: ChartReading,
  result: Grounded | null,
): Shown {
  const count = candles.time.length;
  const wanted = result === null ? reading.candles.length : result.match.count;
  const offset = Math.max(0, count - Math.min(wanted, SHOWN_CANDLES_MAX));
  const cut = (name: keyof Candles): number[] => Array.from(candles[name].subarray(offset));
  const isReal = result !== null;
  return {
    offset,
    wire: {
      is_real: isReal,
      time: isReal ? cut('time') : null,
      open: cut('open'),
      high: cut('high'),
      low: cut('low'),
      close: cut('close'),
      volume: isReal || volumeOf(reading) !== null ? cut('volume') : null,
      has_prices: hasPrices,
    },
  };
}

/** Index of the shown candle for each read one; -1: none. Matched by time where known. */
export function placesOf(reading: ChartReading, { wire, offset }: Shown, result: Grounded | null): number[] {
  if (result === null || wire.time === null) return reading.candles.map((_, i) => i - offset);
  const byTime = new Map(wire.time.map((time, i) => [time, i]));
  return reading.candles.map(({ index }) => byTime.get(result.fromMs + index * intervalMs[result.interval]) ?? -1);
}

export const spotsOf = (
  { candles }: ChartReading,
  { width, height }: ReadPicture['size'],
  places: readonly number[],
): VisionResult['spots'] =>
  candles.flatMap(({ x, high, low, close }, i) => {
    const index = places[i] ?? -1;
    const spot = { index, x: x / width, high: high / height, low: low / height, close: close / height };
    return index < 0 ? [] : [spot];
  });

/** Fraction of a picture with four decimals: less than a pixel of any accepted picture. */
const shareOf = (part: number, whole: number): number => Math.round((part / whole) * 1e4) / 1e4;

/** Curves read from the picture, at the columns of the shown candles: the longest visible ones when there are too many. */
export function linesOf(
  { candles, indicators }: Pick<ChartReading, 'candles' | 'indicators'>,
  { width, height }: ReadPicture['size'],
  places: readonly number[],
): VisionResult['lines'] {
  const lines = indicators.map(({ colour, rows, values }) => {
    const points = candles.flatMap(({ x }, i) => {
      const row = rows[i] ?? null;
      const isShown = row !== null && (places[i] ?? -1) >= 0;
      return isShown ? [{ x: shareOf(x, width), y: shareOf(row, height) }] : [];
    });
    return {
      colour: hexOf(colour),
      points: points.slice(-SHOWN_CANDLES_MAX),
      seen_share: rows.filter((row) => row !== null).length / candles.length,
      last_value: values?.findLast((value) => value !== null) ?? null,
    };
  });
  const longest = lines.toSorted((a, b) => b.seen_share - a.seen_share).slice(0, LINES_MAX);
  return lines.filter((line) => longest.includes(line));
}

const hexOf = (colour: readonly number[]): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
