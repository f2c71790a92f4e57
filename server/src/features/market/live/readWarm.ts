import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import { viewOf } from '../columns.ts';
import { lastClosedOpen } from '../intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Interval, WarmCandles, WarmPlace } from '../port.ts';
import type { Series } from '../series.ts';

/** How long after a close the previous bar still counts as current, while a stream is about to deliver the new one. */
export const currentForMs = 5000;

/** Position of the latest `limit` closed candles of a series, or null when some are missing or not current. */
export function warmPlace(series: Series, interval: Interval, limit: number, nowMs: number): WarmPlace | null {
  const span = intervalMs[interval];
  const { time } = series.candles;
  const youngestMs = lastClosedOpen(interval, nowMs);
  // A bar that the exchange closed ahead of our clock waits until it is closed here too.
  const end = indexFrom(time, youngestMs + 1);
  const lastMs = time[end - 1];
  if (lastMs === undefined) return null;
  const isSettling = lastMs === youngestMs - span && nowMs - (youngestMs + span) < currentForMs;
  if (lastMs !== youngestMs && !isSettling) return null;
  // A market younger than the window has fewer candles, which is known only after older ones were requested.
  const isWhole = series.fromMs <= lastMs - (limit - 1) * span;
  const start = Math.max(0, end - limit);
  if (end - start < limit && !isWhole) return null;
  if (lastMs - (time[start] as number) !== (end - 1 - start) * span) return null;
  return { columns: series.candles, start, end, fetchedAtMs: series.fetchedAtMs };
}

/** Views of those candles. */
export function warmWindow(
  series: Series,
  interval: Interval,
  limit: number,
  nowMs: number,
): Omit<WarmCandles, 'exchange'> | null {
  const place = warmPlace(series, interval, limit, nowMs);
  return place && { candles: viewOf(place.columns, place.start, place.end), fetchedAtMs: place.fetchedAtMs };
}
