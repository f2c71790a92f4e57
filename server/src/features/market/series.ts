import { indexFrom } from '@sextant/workers/src/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { sliceCandles, candleAt, gapsWithin, inserted, joinCandles } from './columns.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { CandleGap, CandleWindow, ClosedBar, ExchangeId, Interval } from './port.ts';

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

/** The youngest `barsMax` candles of a series. */
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

/** A bar that opens this far from the close before it is asked for once more instead of being believed. */
const jumpMax = 0.02;

export type Joined = { kind: 'joined'; series: Series } | { kind: 'known' } | { kind: 'doubtful' };

/**
 * A series with one more closed bar from a stream. A bar that leaves a hole joins too, with the hole as a gap that is due at once.
 * `doubtful` contradicts what is known: the exchange has to be asked.
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
  // What is missing between the young end and this bar, whether it was asked for in vain or not.
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

/** The gaps when one bar of theirs has come. */
function without(gaps: readonly CandleGap[], timeMs: number, span: number): CandleGap[] {
  return gaps.flatMap((gap) =>
    timeMs < gap.fromMs || timeMs > gap.toMs
      ? [gap]
      : [...gapsWithin([gap], gap.fromMs, timeMs - span, span), ...gapsWithin([gap], timeMs + span, gap.toMs, span)],
  );
}
