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
 * Number of last rows that have not closed: the forming one, and the next one where a file has it already. Candles that continue further
 * into the future are generated: none of them is forming.
 * @param time open times, rising
 */
export function formingCount(time: ArrayLike<number>, lengthMs: number, nowMs: number): number {
  let count = 0;
  if ((time[time.length - 1] ?? NaN) > nowMs + lengthMs) return 0;
  while (count < time.length && (time[time.length - 1 - count] ?? NaN) + lengthMs > nowMs) count++;
  return count;
}

const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** The dropped rows as a sentence. @param fromMs open of the first such row, a valid date */
export const formingWords = (count: number, fromMs: number): string =>
  count === 1
    ? `The last row, ${minuteOf(fromMs)} UTC, was left out: its candle has not closed.`
    : `The last ${count} rows, from ${minuteOf(fromMs)} UTC, were left out: their candles have not closed.`;

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

/** Removes the rows that have not closed from candles and the columns beside them, and returns the sentence about them. */
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
  // Without a row left there is nothing to run. The task reports invalid times and columns of other lengths.
  const isSound =
    rest > 0 && columns.every(({ length }) => length === time.length) && Math.abs(fromMs ?? NaN) <= DATE_MAX;
  if (count === 0 || fromMs === undefined || !isSound) return { sent, leftOut: null };
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

/** Last moment of a JavaScript date. */
const DATE_MAX = 8.64e15;
