import type { Candles } from '@sextant/workers/src/protocol.ts';
import { between, gapsWithin, joined } from './columns.ts';
import { intervalMs } from './intervals.ts';
import type { CandleGap, CandleWindow, ExchangeId, Interval } from './port.ts';

/** The span of bars a caller wants: opens of the first and the last, both closed. */
export interface Span {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  fromMs: number;
  toMs: number;
}

/** What is known of one series without a hole in the asking: every bar from `fromMs` to `toMs` was asked for. */
export interface Series {
  candles: Candles;
  fromMs: number;
  /** Open of the youngest bar that came; younger ones are asked for again. */
  toMs: number;
  /** Open of the youngest bar that was asked for. */
  triedToMs: number;
  gaps: CandleGap[];
  /** Rows the validator refused over the life of this series. */
  rejectedCount: number;
  /** When the exchange last confirmed the young end, and when the gaps were last asked for. */
  fetchedAtMs: number;
  gapsTriedAtMs: number;
}

export interface CachedWindow {
  window: CandleWindow;
  fetchedAtMs: number;
}

/** A span this far from what is kept is answered without being kept: joining them would fetch all that lies between. */
const bridgeBarsMax = 2000;
/** Candles of one series that are kept; the oldest go first. */
const seriesBarsMax = 25_000;
/** A young end that did not come is not asked for more often than this, and an old gap not more often than that. */
const retryTailMs = 2000;
const retryGapsMs = 60_000;

export function seriesOf(window: CandleWindow, fromMs: number, toMs: number, nowMs: number): Series {
  const last = window.candles.time.at(-1) ?? fromMs;
  return { ...window, fromMs, toMs: Math.min(toMs, last), triedToMs: toMs, fetchedAtMs: nowMs, gapsTriedAtMs: nowMs };
}

/** Whether the answer can come from memory. */
export function covers(series: Series, span: Span, nowMs: number): boolean {
  if (series.fromMs > span.fromMs || gapsAreDue(series, span, nowMs)) return false;
  if (series.toMs >= span.toMs) return true;
  return series.triedToMs >= span.toMs && nowMs - series.fetchedAtMs < retryTailMs;
}

export function gapsAreDue(series: Series, { fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>, nowMs: number): boolean {
  if (nowMs - series.gapsTriedAtMs < retryGapsMs) return false;
  return series.gaps.some((gap) => gap.fromMs <= toMs && gap.toMs >= fromMs);
}

export function isFar(series: Series, { fromMs, toMs, interval }: Span): boolean {
  const bridge = bridgeBarsMax * intervalMs[interval];
  return toMs < series.fromMs - bridge || fromMs > series.toMs + bridge;
}

/** Two series of which the younger begins within or right after the older; where they overlap the younger one counts. */
export function merged(older: Series, younger: Series): Series {
  return {
    candles: joined(older.candles, younger.candles),
    fromMs: older.fromMs,
    toMs: Math.max(older.toMs, younger.toMs),
    triedToMs: Math.max(older.triedToMs, younger.triedToMs),
    gaps: [...older.gaps.filter(({ toMs }) => toMs < younger.fromMs), ...younger.gaps],
    rejectedCount: older.rejectedCount + younger.rejectedCount,
    fetchedAtMs: Math.max(older.fetchedAtMs, younger.fetchedAtMs),
    gapsTriedAtMs: Math.min(older.gapsTriedAtMs, younger.gapsTriedAtMs),
  };
}

export function trimmed(series: Series, span: number): Series {
  const { time } = series.candles;
  if (time.length <= seriesBarsMax) return series;
  const fromMs = time[time.length - seriesBarsMax] as number;
  const candles = between(series.candles, fromMs, series.toMs);
  return { ...series, candles, fromMs, gaps: gapsWithin(series.gaps, fromMs, series.triedToMs, span) };
}

export function cut(series: Series, { fromMs, toMs, interval }: Span): CachedWindow {
  const gaps = gapsWithin(series.gaps, fromMs, toMs, intervalMs[interval]);
  const window = { candles: between(series.candles, fromMs, toMs), gaps, rejectedCount: series.rejectedCount };
  return { window, fetchedAtMs: series.fetchedAtMs };
}
