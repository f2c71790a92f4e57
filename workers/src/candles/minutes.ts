import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { cutCandles, indexFrom, joinColumns } from './candleColumns.ts';
import type { BacktestResult, Candles, MarkPrices } from '../protocol/backtest.ts';

/**
 * Minute candles settle which of two exits came first, and only in the candles whose order is in question: a run says which those are
 * (`askedBars`), their minutes are loaded, and it runs again. An exit that is settled still happens in its candle, so one round mostly is
 * enough; a later trade can differ where the equity limits the size.
 */

/** Minutes that one run may request: 1,000 candles of 1h, 41 of 1d. The oldest candles come first. */
export const RUN_MINUTES_MAX = 60_000;
/** Minutes that one search may request, for all its sets: those of the candles with the largest range come first. */
export const SEARCH_MINUTES_MAX = 60_000;
/** Longest wait of a search for minutes; it then continues without them. */
export const SEARCH_MINUTES_WAIT_MS = 90_000;
/** Most runs with newly loaded minutes; then candles still in question keep the order of `costs.sameBar`. */
export const SETTLE_ROUNDS_MAX = 8;

/** By the open of the candle they are inside, epoch ms; null where the exchange has not all of them. */
export type MinutesByBar = ReadonlyMap<number, Candles | null>;

/** Candles of one minute are the finest there are. */
export const hasMinutes = (intervalMs: number): boolean => intervalMs > MINUTE_MS && intervalMs % MINUTE_MS === 0;

/**
 * The minutes of one candle; null unless they lie end to end over all of it and stay inside its range. A candle with a hole, or with
 * minutes of another market, keeps its order open: a part of it could be taken for a longer candle.
 */
function minutesInside(candles: Candles, bar: number, intervalMs: number, minutes: Candles): Candles | null {
  const openMs = candles.time[bar] ?? NaN;
  const first = indexFrom(minutes.time, openMs);
  const count = intervalMs / MINUTE_MS;
  const [top, bottom] = [candles.high[bar] ?? NaN, candles.low[bar] ?? NaN];
  for (let i = 0; i < count; i++) {
    const isNext = minutes.time[first + i] === openMs + i * MINUTE_MS;
    const isInside = (minutes.high[first + i] ?? NaN) <= top && (minutes.low[first + i] ?? NaN) >= bottom;
    if (!isNext || !isInside) return null;
  }
  return cutCandles(minutes, openMs, openMs + intervalMs);
}

/** Groups loaded minutes by the candles they were requested for. @param opens of the candles, epoch ms */
export function minutesByBar(
  { candles, intervalMs }: { candles: Candles; intervalMs: number },
  opens: readonly number[],
  minutes: Candles,
): Map<number, Candles | null> {
  const matches = opens.map((openMs): [number, Candles | null] => {
    const bar = indexFrom(candles.time, openMs);
    return [openMs, candles.time[bar] === openMs ? minutesInside(candles, bar, intervalMs, minutes) : null];
  });
  return new Map(matches);
}

type UnclearBars = Pick<BacktestResult, 'askedBars' | 'unknownBars'>;

/** The candles a run may request minutes for, within its limit. */
const allowedBars = ({ askedBars }: UnclearBars, intervalMs: number): number[] =>
  askedBars.slice(0, Math.floor((RUN_MINUTES_MAX * MINUTE_MS) / intervalMs));

/** The minutes that a run requests, as far as they are known; undefined when there are none. */
export function minutesFor(
  requested: UnclearBars,
  { candles, intervalMs }: { candles: Candles; intervalMs: number },
  known: MinutesByBar,
): Candles | undefined {
  if (!hasMinutes(intervalMs)) return undefined;
  const parts = allowedBars(requested, intervalMs).flatMap((bar) => known.get(candles.time[bar] ?? NaN) ?? []);
  return parts.length === 0 ? undefined : joinColumns(parts);
}

/** Opens of the candles whose order is open and whose minutes were never requested, oldest first. */
export function missingOpens(
  requested: UnclearBars,
  { candles, intervalMs }: { candles: Candles; intervalMs: number },
  known: MinutesByBar,
): number[] {
  if (!hasMinutes(intervalMs)) return [];
  const unknown = new Set(requested.unknownBars);
  return allowedBars(requested, intervalMs)
    .filter((bar) => unknown.has(bar))
    .map((bar) => candles.time[bar] ?? NaN)
    .filter((openMs) => !known.has(openMs));
}

/** Whether minutes that are known would settle a candle that is open. */
export const canSettle = (requested: UnclearBars, { candles }: { candles: Candles }, known: MinutesByBar): boolean =>
  requested.unknownBars.some((bar) => (known.get(candles.time[bar] ?? NaN) ?? null) !== null);

/** Mark prices of each candle, and how many of them the exchange does not have. */
export interface AlignedMarks {
  prices: MarkPrices;
  missingCount: number;
}

/**
 * Mark prices in the order of the candles. Where the exchange has none, or a row is invalid, the candle's own prices are used, as in a run
 * without mark prices. Null when it has none of these candles.
 */
export function alignMarks(
  candles: Candles,
  marks: Pick<Candles, 'time' | 'open' | 'high' | 'low'>,
): AlignedMarks | null {
  const { time, open, high, low } = candles;
  const prices = { open: open.slice(), high: high.slice(), low: low.slice() };
  let missingCount = 0;
  for (let bar = 0; bar < time.length; bar++) {
    const at = indexFrom(marks.time, time[bar] ?? NaN);
    if (marks.time[at] !== time[bar]) {
      missingCount += 1;
      continue;
    }
    prices.open[bar] = marks.open[at] ?? NaN;
    prices.high[bar] = marks.high[at] ?? NaN;
    prices.low[bar] = marks.low[at] ?? NaN;
  }
  return missingCount === time.length ? null : { prices, missingCount };
}
