export interface Navigated {
  viewport: () => Viewport;
  bounds: () => Bounds;
  apply: (next: Viewport) => void;
  reset: () => void;
}

const KEY_ZOOM = 0.8;
const KEY_PAN_FRACTION = 0.1;

/**
 * Wheel zooms about the cursor, drag pans, two fingers pinch, a double click resets.
 * @param pane the whole pane, axes and readout included: a wheel beside the plot must not scroll the page instead
 * @param plot the element over the plot area, for the geometry
 * @returns removes the listeners
 */
export function listenToPointer(pane: HTMLElement, plot: HTMLElement, view: Navigated): () => void {
  const pointers = new Map<number, number>();
  const fractionAt = (clientX: number) => {
    const box = plot.getBoundingClientRect();
    return (clientX - box.left) / box.width;
  };
  const indexAt = (clientX: number) => {
    const { min, max } = view.viewport();
    return min + (max - min) * fractionAt(clientX);
  };
  const panPixels = (pixels: number) => {
    const { min, max } = view.viewport();
    view.apply(panBy(view.viewport(), (pixels / plot.clientWidth) * (max - min), view.bounds()));
  };

  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) panPixels(event.deltaX || event.deltaY);
    else {
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const factor = Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022);
      view.apply(zoomAbout(view.viewport(), indexAt(event.clientX), factor, view.bounds()));
    }
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, event.clientX);
    pane.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, event.clientX);
    if (other === undefined) panPixels(before - event.clientX);
    else {
      const factor = Math.max(8, Math.abs(before - other)) / Math.max(8, Math.abs(event.clientX - other));
      view.apply(zoomAbout(view.viewport(), indexAt((event.clientX + other) / 2), factor, view.bounds()));
    }
  };
  const onUp = (event: PointerEvent) => pointers.delete(event.pointerId);

  const stop = new AbortController();
  const { signal } = stop;
  pane.addEventListener('wheel', onWheel, { passive: false, signal });
  pane.addEventListener('pointerdown', onDown, { signal });
  pane.addEventListener('pointermove', onMove, { signal });
  pane.addEventListener('pointerup', onUp, { signal });
  pane.addEventListener('pointercancel', onUp, { signal });
  pane.addEventListener('dblclick', () => view.reset(), { signal });
  return () => stop.abort();
}

/** The same by keyboard: + and - zoom, arrows pan, Home resets the view. @returns whether the key was handled */
export function onChartKey(key: string, view: Navigated): boolean {
  const { min, max } = view.viewport();
  const centre = (min + max) / 2;
  const step = (max - min) * KEY_PAN_FRACTION;
  switch (key) {
    case '+':
    case '=':
      view.apply(zoomAbout(view.viewport(), centre, KEY_ZOOM, view.bounds()));
      return true;
    case '-':
      view.apply(zoomAbout(view.viewport(), centre, 1 / KEY_ZOOM, view.bounds()));
      return true;
    case 'ArrowLeft':
      view.apply(panBy(view.viewport(), -step, view.bounds()));
      return true;
    case 'ArrowRight':
      view.apply(panBy(view.viewport(), step, view.bounds()));
      return true;
    case 'Home':
    case '0':
      view.reset();
      return true;
    default:
      return false;
  }
}

/** The visible part of the time axis, in candle indices; fractions of a candle are fine. */
export interface Viewport {
  min: number;
  max: number;
}

export interface Bounds {
  /** Number of candles. */
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
