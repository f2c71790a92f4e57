import { candleLengthMs } from '@sextant/workers/src/candles/closedCandles.ts';
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
