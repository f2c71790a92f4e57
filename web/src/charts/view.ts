import { candleLengthMs } from '@sextant/workers/src/candles/closedCandles.ts';
import { onUserReset } from '../state/userReset.ts';
import type { ChartModel } from './chartModel.ts';
import { clampViewport, type Viewport } from './navigate.ts';
import { indexOfTime, timeOfIndex } from './timeScale.ts';

/** Fewest candles on screen. */
export const SPAN_MIN = 12;

/** Number of drawn candles, including the forming one. */
export const countOf = ({ candles, forming = null }: ChartModel): number =>
  candles.time.length + (forming === null ? 0 : 1);

/** The scored window with a small margin before it. */
export function startView(model: ChartModel): Viewport {
  const { scoredFrom } = model;
  const count = countOf(model);
  return clampViewport({ min: scoredFrom - (count - scoredFrom) * 0.03, max: count }, { count, spanMin: SPAN_MIN });
}

/**
 * The view after a change of candles: the same time range, whatever candles were added; a view that included the newest candle follows the
 * newest. The start view where the user had not moved it, for candles of another length, and where the range is outside the new candles.
 */
export function viewAfter(view: Viewport, before: ChartModel, model: ChartModel): Viewport {
  const start = startView(before);
  const isUntouched = Math.abs(view.min - start.min) < 1e-6 && Math.abs(view.max - start.max) < 1e-6;
  const [old, time] = [before.candles.time, model.candles.time];
  if (isUntouched || candleLengthMs(old) !== candleLengthMs(time)) return startView(model);
  const count = countOf(model);
  const isAtEnd = view.max >= countOf(before) - 1;
  // Shifted as a whole, so that the span stays the same to the bit where no gap lies in between.
  const by = isAtEnd ? count - countOf(before) : indexOfTime(time, timeOfIndex(old, view.min)) - view.min;
  const [min, max] = [view.min + by, view.max + by];
  const isElsewhere = isAtEnd ? (time.at(-1) ?? NaN) < timeOfIndex(old, view.min) : max < 0 || min > count - 1;
  return isElsewhere ? startView(model) : clampViewport({ min, max }, { count, spanMin: SPAN_MIN });
}

/** The part of the time axis that was in sight, by time: it outlives the chart, so that coming back to a tab finds it unchanged. */
interface RememberedView {
  fromMs: number;
  toMs: number;
  /** The newest candle was in sight: the view follows it. */
  isAtEnd: boolean;
}

const remembered = new Map<string, RememberedView>();
const REMEMBERED_MAX = 50;

/** Stores the view of a chart. @param key of place, symbol and interval */
export function rememberView(key: string, view: Viewport, model: ChartModel): void {
  const { time } = model.candles;
  if (time.length < 2) return;
  remembered.delete(key);
  const start = startView(model);
  if (Math.abs(view.min - start.min) < 1e-6 && Math.abs(view.max - start.max) < 1e-6) return;
  const isAtEnd = view.max >= countOf(model) - 1;
  remembered.set(key, { fromMs: timeOfIndex(time, view.min), toMs: timeOfIndex(time, view.max), isAtEnd });
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

/** The stored view on the candles of now; the start view where none was stored or its time is outside them. */
export function recallView(key: string, model: ChartModel): Viewport {
  const { time } = model.candles;
  const stored = remembered.get(key);
  if (stored === undefined || time.length < 2) return startView(model);
  const [min, max] = [indexOfTime(time, stored.fromMs), indexOfTime(time, stored.toMs)];
  const count = countOf(model);
  if (stored.isAtEnd) return clampViewport({ min: count + min - max, max: count }, { count, spanMin: SPAN_MIN });
  return max < 0 || min > count - 1 ? startView(model) : clampViewport({ min, max }, { count, spanMin: SPAN_MIN });
}

/** Forgets the views of the user before. */
export function forgetViews(): void {
  remembered.clear();
}

onUserReset(forgetViews);
