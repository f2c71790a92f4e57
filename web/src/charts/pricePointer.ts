/** Opens the menu when a finger rests this long. */
const LONG_PRESS_MS = 550;
/** A finger that moves further pans the chart. */
const MOVED_PX = 8;

/**
 * Right click and long press on a pane. Some browsers report a long press as a right click, others do not report it.
 * @param open called with the point in the window
 * @returns removes the listeners
 */
export function listenToMenu(pane: HTMLElement, open: (clientX: number, clientY: number) => void): () => void {
  let timer = 0;
  let start: { x: number; y: number } | null = null;
  const cancel = () => {
    clearTimeout(timer);
    start = null;
  };
  const stop = new AbortController();
  const { signal } = stop;
  const onMenu = (event: MouseEvent) => {
    event.preventDefault();
    // Otherwise the group around the pane opens it at the crosshair, as for the keyboard.
    event.stopPropagation();
    cancel();
    open(event.clientX, event.clientY);
  };
  const onDown = (event: PointerEvent) => {
    cancel();
    // A second finger pinches.
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    start = { x, y };
    timer = window.setTimeout(() => {
      cancel();
      open(x, y);
    }, LONG_PRESS_MS);
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (start !== null && Math.hypot(clientX - start.x, clientY - start.y) > MOVED_PX) cancel();
  };
  pane.addEventListener('contextmenu', onMenu, { signal });
  pane.addEventListener('pointerdown', onDown, { signal });
  pane.addEventListener('pointermove', onMove, { signal });
  for (const end of ['pointerup', 'pointercancel'] as const) pane.addEventListener(end, cancel, { signal });
  return () => {
    cancel();
    stop.abort();
  };
}
