/** The visible part of the time axis, in candle indices; fractions of a candle are fine. */
export interface Viewport {
  min: number;
  max: number;
}

export interface Bounds {
  /** Candles there are. */
  count: number;
  /** Fewest candles on screen. */
  spanMin: number;
}

/** Room beside the first and the last candle, as a share of the visible span. */
const MARGIN_FRACTION = 0.04;

/** The nearest view that shows no more emptiness than the margin and no fewer candles than spanMin. */
export function clampViewport({ min, max }: Viewport, { count, spanMin }: Bounds): Viewport {
  const spanMax = Math.max(count, 1) / (1 - 2 * MARGIN_FRACTION);
  const span = Math.min(spanMax, Math.max(Math.min(spanMin, spanMax), max - min));
  const margin = span * MARGIN_FRACTION;
  const centre = (min + max) / 2;
  const lowest = -0.5 - margin;
  const highest = count - 0.5 + margin;
  const from = Math.max(lowest, Math.min(centre - span / 2, highest - span));
  return { min: from, max: from + span };
}

/**
 * Zooms so that the candle under the cursor stays under it.
 * @param at     candle index under the cursor
 * @param factor visible span after over before; below 1 zooms in
 */
export function zoomAbout({ min, max }: Viewport, at: number, factor: number, bounds: Bounds): Viewport {
  const limited = Math.max(factor, Math.min(bounds.spanMin, max - min) / (max - min));
  return clampViewport({ min: at - (at - min) * limited, max: at + (max - at) * limited }, bounds);
}

/** @param candles how far to move towards the newer candles */
export function panBy({ min, max }: Viewport, candles: number, bounds: Bounds): Viewport {
  return clampViewport({ min: min + candles, max: max + candles }, bounds);
}

/** The same view when it holds [from, to]; else the view moved, and widened if it must be, so that it does. */
export function reveal(view: Viewport, from: number, to: number, bounds: Bounds): Viewport {
  const span = view.max - view.min;
  const pad = Math.max(2, (to - from) * 0.25);
  if (from - pad >= view.min && to + pad <= view.max) return view;
  const needed = Math.max(span, to - from + 2 * pad);
  const centre = (from + to) / 2;
  return clampViewport({ min: centre - needed / 2, max: centre + needed / 2 }, bounds);
}
