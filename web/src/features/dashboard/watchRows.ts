import type { Candles } from '@sextant/workers/src/protocol.ts';

export const DAY_MS = 86_400_000;
/** A day of 15-minute candles and the one before it, whose close is the price of 24 hours ago. */
export const DAY_INTERVAL = '15m';
export const DAY_CANDLE_COUNT = 97;

export interface DayFigures {
  /** Change from the price 24 hours ago to the last one, a fraction. */
  changeFraction: number;
  high: number;
  low: number;
  /** Where the last price stands between low and high, 0..1. */
  place: number;
  /** Traded in these hours, quote currency: each candle's volume at its close. */
  volumeUsdt: number;
  /** Closes for the sparkline, the last price at its end. */
  closes: number[];
}

/**
 * Figures of the last 24 hours.
 * @param candles DAY_CANDLE_COUNT closed 15-minute candles, oldest first
 * @returns null when the candles do not reach back a whole day: a shorter change would pass for a daily one
 */
export function dayFigures(candles: Candles, lastPrice: number): DayFigures | null {
  const count = candles.time.length;
  const first = candles.time[0];
  const base = candles.close[0];
  const newest = candles.time[count - 1];
  if (first === undefined || newest === undefined || base === undefined || newest - first < DAY_MS) return null;
  const high = candles.high.slice(1).reduce((most, value) => Math.max(most, value), lastPrice);
  const low = candles.low.slice(1).reduce((least, value) => Math.min(least, value), lastPrice);
  return {
    changeFraction: lastPrice / base - 1,
    high,
    low,
    place: high > low ? (lastPrice - low) / (high - low) : 0.5,
    volumeUsdt: candles.volume.slice(1).reduce((sum, volume, at) => sum + volume * (candles.close[at + 1] ?? 0), 0),
    closes: [...candles.close, lastPrice],
  };
}

/** Most traded first, once all are known: rows that change places while one reads help nobody. */
export function byVolume<Row extends { day: DayFigures | null }>(rows: readonly Row[]): readonly Row[] {
  if (rows.some(({ day }) => day === null)) return rows;
  return [...rows].sort((a, b) => (b.day?.volumeUsdt ?? 0) - (a.day?.volumeUsdt ?? 0));
}
