import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { sliceCandles, candleAt, gapsWithin, inserted, joinCandles } from './columns.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { CandleGap, CandleWindow, ClosedBar, ExchangeId, Interval } from './port.ts';

/** A requested span of bars: opens of the first and the last, both closed. */
export interface Span {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  fromMs: number;
  toMs: number;
}

/** Cached part of one series: every bar from `fromMs` to `toMs` was requested. */
export interface Series {
  candles: Candles;
  fromMs: number;
  /** Open of the latest received bar; later ones are requested again. */
  toMs: number;
  /** Open of the latest requested bar. */
  triedToMs: number;
  gaps: CandleGap[];
  /** Rows that failed validation over the life of this series. */
  rejectedCount: number;
  /** When the exchange last confirmed the recent end, and when the gaps were last requested. */
  fetchedAtMs: number;
  gapsTriedAtMs: number;
}

export interface CachedWindow {
  window: CandleWindow;
  fetchedAtMs: number;
}

/** A span this far from the cached one is returned without caching: joining them would fetch everything in between. */
const bridgeBarsMax = 2000;
/** Cached candles per series; the oldest are dropped first. */
const seriesBarsMax = 25_000;
/** Minimum time between requests for a missing recent end, and for an old gap. */
const retryTailMs = 2000;
const retryGapsMs = 60_000;

export function seriesOf(window: CandleWindow, fromMs: number, toMs: number, nowMs: number): Series {
  const last = window.candles.time.at(-1) ?? fromMs;
  return { ...window, fromMs, toMs: Math.min(toMs, last), triedToMs: toMs, fetchedAtMs: nowMs, gapsTriedAtMs: nowMs };
}

/** Whether the span can be read from memory. */
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

/** Joins two series of which the newer starts within or right after the older; the newer one wins where they overlap. */
export function merged(older: Series, younger: Series): Series {
  return {
    candles: joinCandles(older.candles, younger.candles),
    fromMs: older.fromMs,
    toMs: Math.max(older.toMs, younger.toMs),
    triedToMs: Math.max(older.triedToMs, younger.triedToMs),
    gaps: [...older.gaps.filter(({ toMs }) => toMs < younger.fromMs), ...younger.gaps],
    rejectedCount: older.rejectedCount + younger.rejectedCount,
    fetchedAtMs: Math.max(older.fetchedAtMs, younger.fetchedAtMs),
    gapsTriedAtMs: Math.min(older.gapsTriedAtMs, younger.gapsTriedAtMs),
  };
}

/** The latest `barsMax` candles of a series. */
export function trimSeries(series: Series, span: number, barsMax = seriesBarsMax): Series {
  const { time } = series.candles;
  if (time.length <= barsMax) return series;
  const fromMs = time[time.length - barsMax] as number;
  const candles = sliceCandles(series.candles, fromMs, series.toMs);
  return { ...series, candles, fromMs, gaps: gapsWithin(series.gaps, fromMs, series.triedToMs, span) };
}

export function cutWindow(series: Series, { fromMs, toMs, interval }: Span): CachedWindow {
  const gaps = gapsWithin(series.gaps, fromMs, toMs, intervalMs[interval]);
  const window = { candles: sliceCandles(series.candles, fromMs, toMs), gaps, rejectedCount: series.rejectedCount };
  return { window, fetchedAtMs: series.fetchedAtMs };
}

/** A bar that opens this far from the previous close is requested again instead of trusted. */
const jumpMax = 0.02;

export type Joined = { kind: 'joined'; series: Series } | { kind: 'known' } | { kind: 'doubtful' };

/**
 * A series with one more closed bar from a stream. A bar after missing ones is appended too, with a gap that is due at once.
 * `doubtful`: the bar contradicts the cached ones and must be fetched from the exchange.
 */
export function withBar(series: Series, bar: ClosedBar, nowMs: number): Joined {
  const span = intervalMs[bar.interval];
  const { candles } = series;
  const index = indexFrom(candles.time, bar.time);
  if (candles.time[index] === bar.time)
    return isSameBar(candleAt(candles, index), bar) ? { kind: 'known' } : { kind: 'doubtful' };
  if (bar.time < series.fromMs) return { kind: 'known' };
  const closeBefore = candles.time[index - 1] === bar.time - span ? candles.close[index - 1] : undefined;
  if (closeBefore !== undefined && Math.abs(bar.open / closeBefore - 1) > jumpMax) return { kind: 'doubtful' };
  // All bars missing between the recent end and this bar, whether or not they were requested before.
  const holeFromMs = series.toMs + span;
  const hole = { fromMs: holeFromMs, toMs: bar.time - span, missingCount: (bar.time - holeFromMs) / span };
  const inner = bar.time > series.toMs ? series.gaps.filter((gap) => gap.fromMs < holeFromMs) : series.gaps;
  const gaps = [...without(inner, bar.time, span), ...(hole.missingCount > 0 ? [hole] : [])];
  return {
    kind: 'joined',
    series: {
      ...series,
      candles: inserted(candles, bar),
      toMs: Math.max(series.toMs, bar.time),
      triedToMs: Math.max(series.triedToMs, bar.time),
      gaps,
      fetchedAtMs: Math.max(series.fetchedAtMs, bar.time >= series.toMs ? nowMs : 0),
      gapsTriedAtMs: hole.missingCount > 0 ? 0 : series.gapsTriedAtMs,
    },
  };
}

const isSameBar = (known: Omit<ClosedBar, 'symbol' | 'interval'>, bar: ClosedBar): boolean =>
  known.open === bar.open &&
  known.high === bar.high &&
  known.low === bar.low &&
  known.close === bar.close &&
  known.volume === bar.volume;

/** The gaps without one bar that has arrived. */
function without(gaps: readonly CandleGap[], timeMs: number, span: number): CandleGap[] {
  return gaps.flatMap((gap) =>
    timeMs < gap.fromMs || timeMs > gap.toMs
      ? [gap]
      : [...gapsWithin([gap], gap.fromMs, timeMs - span, span), ...gapsWithin([gap], timeMs + span, gap.toMs, span)],
  );
}
