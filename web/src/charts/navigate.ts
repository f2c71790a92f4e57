import { type Bounds, panBy, type Viewport, zoomAbout } from './viewport.ts';

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

/** The same by keyboard: + and - zoom, arrows pan, Home shows everything anew. @returns whether the key meant something */
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
