export interface RowWindow {
  /** First row to draw. */
  from: number;
  /** One past the last row to draw. */
  to: number;
}

interface Scrolled {
  /** Pixels scrolled, and pixels in sight. */
  top: number;
  height: number;
  rowPx: number;
  count: number;
}

/** Rows drawn beyond each edge, so that a fast scroll does not show the background. */
const OVERSCAN = 8;

/** The rows in sight of a long list of equally high rows. */
export function rowWindow({ top, height, rowPx, count }: Scrolled): RowWindow {
  const first = Math.floor(top / rowPx) - OVERSCAN;
  const last = Math.ceil((top + height) / rowPx) + OVERSCAN;
  return { from: Math.min(count, Math.max(0, first)), to: Math.min(count, Math.max(0, last)) };
}

/** Where to scroll so that a row is fully in sight; the same place when it is already. */
export function scrollTopFor(row: number, { top, height, rowPx }: Omit<Scrolled, 'count'>): number {
  const start = row * rowPx;
  if (start < top) return start;
  return Math.max(top, start + rowPx - height);
}
