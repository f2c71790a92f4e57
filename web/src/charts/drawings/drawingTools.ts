import type { DrawingKind } from '@sextant/workers/src/core/chartDrawings.ts';
import { readSaved, save } from '../../state/storage.ts';
import { createStore, type Store } from '../../state/store.ts';
import type { DrawingSet } from './drawingSet.ts';

/** What the pointer does on one chart. */
interface ToolState {
  /** The tool that places the next drawing; null: the pointer selects. */
  tool: DrawingKind | null;
  selectedId: string | null;
  /** The part of the selected drawing that the arrow keys move; null: all of it. */
  handle: number | null;
  /** Points snap to the prices of the nearest candle. */
  isMagnet: boolean;
}

export type ToolStore = Store<ToolState>;

// Belongs to the browser, as the layout of charts does.
const MAGNET = 'chart.magnet';

export const createTools = (): ToolStore =>
  createStore<ToolState>({ tool: null, selectedId: null, handle: null, isMagnet: readSaved(MAGNET) === 'true' });

export function toggleMagnet(tools: ToolStore): void {
  const isMagnet = !tools.current.isMagnet;
  tools.set({ isMagnet });
  save(MAGNET, String(isMagnet));
}

/** Letters that select a tool with Alt, as in other charting programs. */
export const toolKeys: Partial<Record<string, DrawingKind>> = {
  KeyH: 'horizontal',
  KeyT: 'trend',
  KeyR: 'ray',
  KeyB: 'rectangle',
  KeyF: 'fibonacci',
  KeyM: 'measure',
  KeyN: 'text',
  KeyL: 'long',
  KeyS: 'short',
};

/** Selects the drawing after or before the selected one, without the hidden ones. @returns whether there is one */
export function selectNext(set: DrawingSet | null, tools: ToolStore, by: 1 | -1): boolean {
  const shown = set?.store.current.list.filter((drawing) => !drawing.is_hidden) ?? [];
  if (shown.length === 0) return false;
  const at = shown.findIndex(({ id }) => id === tools.current.selectedId);
  const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length;
  tools.set({ tool: null, selectedId: shown[next]?.id ?? null, handle: null });
  return true;
}

/** Follows a pressed pointer over the whole window until it is released. @returns ends it early */
export function trackPointer(
  onMove: (event: PointerEvent) => void,
  onEnd: (event: PointerEvent) => void,
): AbortController {
  const tracking = new AbortController();
  const { signal } = tracking;
  const end = (event: PointerEvent) => {
    tracking.abort();
    onEnd(event);
  };
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', end, { signal });
  window.addEventListener('pointercancel', end, { signal });
  return tracking;
}

const STEP_PX = 4;
/** How far an arrow key moves the selected drawing. */
export const arrowSteps: Partial<Record<string, readonly [candles: number, px: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -STEP_PX],
  ArrowDown: [0, STEP_PX],
};
