import { utcText } from '../core/timeText.ts';
import { isCandleTime } from './candleTime.ts';

/** A row whose end lies in the future is a forming candle. Counting it as closed would let a run look ahead. */

/** Enough of them for one without a gap in between. */
const NEIGHBOURS_MAX = 50;

/** Length of the candles: the least distance of the first ones; NaN of a single one. */
export function candleLengthMs(time: ArrayLike<number>): number {
  let least = NaN;
  for (let i = 1; i < Math.min(time.length, NEIGHBOURS_MAX); i++) {
    const distance = (time[i] ?? NaN) - (time[i - 1] ?? NaN);
    if (!(distance >= least)) least = distance;
  }
  return least;
}

/**
 * Number of last rows that have not closed: the forming one, and those after it, as in a file stamped in a local time ahead of UTC.
 * @param time open times, rising
 */
export function formingCount(time: ArrayLike<number>, lengthMs: number, nowMs: number): number {
  let count = 0;
  while (count < time.length && (time[time.length - 1 - count] ?? NaN) + lengthMs > nowMs) count++;
  return count;
}

/** The dropped rows as a sentence. @param fromMs open of the first such row, a valid date */
export const formingWords = (count: number, fromMs: number): string =>
  count === 1
    ? `Skipped the last row, ${utcText(fromMs)}: its candle is still open.`
    : `Skipped the last ${count} rows, from ${utcText(fromMs)}: their candles are still open.`;

/** A series without a closed row, generated for instance, is run as it is: the clock cannot judge it. */
const unjudgedWords = (count: number): string =>
  `All ${count} rows end in the future (times are UTC): none was left out as not closed.`;

interface SentColumns {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

interface SentRun {
  candles: SentColumns;
  markPrices?: Pick<SentColumns, 'open' | 'high' | 'low'> | undefined;
  news?: number[] | undefined;
  scored?: number | undefined;
}

/**
 * Removes the rows that have not closed from candles and the columns beside them, and returns the sentence about them. Where none has
 * closed it removes none, and the sentence says so.
 */
export function withoutForming<Sent extends SentRun>(
  sent: Sent,
  nowMs: number,
): { sent: Sent; leftOut: string | null } {
  const { candles, markPrices, news, scored } = sent;
  const { time } = candles;
  const count = formingCount(time, candleLengthMs(time), nowMs);
  const rest = time.length - count;
  const fromMs = time[rest];
  const columns = [candles, markPrices ?? {}].flatMap((each): number[][] => Object.values(each));
  // The task reports invalid times and columns of other lengths.
  const isSound = columns.every(({ length }) => length === time.length) && time.slice(rest).every(isCandleTime);
  if (count === 0 || fromMs === undefined || !isSound) return { sent, leftOut: null };
  if (rest === 0) return { sent, leftOut: unjudgedWords(count) };
  const cut = <Columns extends object>(of: Columns): Columns =>
    Object.fromEntries(
      Object.entries(of).map(([name, column]) => [name, (column as number[]).slice(0, rest)]),
    ) as Columns;
  return {
    sent: {
      ...sent,
      candles: cut(candles),
      ...(markPrices === undefined ? {} : { markPrices: cut(markPrices) }),
      ...(news === undefined ? {} : { news: news.slice(0, rest) }),
      ...(scored === undefined ? {} : { scored: Math.min(scored, rest) }),
    },
    leftOut: formingWords(count, fromMs),
  };
}
