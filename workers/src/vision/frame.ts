import type { Raster } from './raster.ts';
import type { Area } from './reading.ts';

/**
 * The frame of a plot, as plotting libraries draw it between the margins: two vertical lines over the same rows, joined at the top and at the
 * bottom. Digits of an axis outside it have the ink of the candles and can stand at their distance, so nothing outside is read as a shape.
 */

/** Share of the height that a side of the frame has. */
const sideMin = 0.4;
/** Shares of the width in which the left and the right side stand. */
const edgeMax = 0.35;
/** Rows by which the ends of both sides may differ. */
const slack = 2;
/** Share of a top or bottom line that is drawn. */
const drawnMin = 0.95;

interface Side {
  x: number;
  top: number;
  bottom: number;
}

/** Inside of the frame in pixels; null where there is none. */
export function frameOf({ width, height }: Raster, foreground: Uint8Array): Area | null {
  const side = (x: number): Side | null => longestRun(foreground, { x, width, height });
  const lefts: Side[] = [];
  const rights: Side[] = [];
  for (let x = 0; x < width * edgeMax; x++) {
    const [left, right] = [side(x), side(width - 1 - x)];
    if (left !== null) lefts.push(left);
    if (right !== null) rights.push(right);
  }
  for (const left of lefts)
    for (const right of rights) {
      const isLevel = Math.abs(left.top - right.top) <= slack && Math.abs(left.bottom - right.bottom) <= slack;
      if (!isLevel) continue;
      const isDrawn = (row: number): boolean => {
        for (let y = Math.max(0, row - slack); y <= Math.min(height - 1, row + slack); y++)
          if (drawnShare(foreground, width, { y, from: left.x, end: right.x + 1 }) >= drawnMin) return true;
        return false;
      };
      if (isDrawn(left.top) && isDrawn(left.bottom - 1)) {
        const inset = slack + 1;
        return {
          left: left.x + inset,
          right: right.x + 1 - inset,
          top: Math.max(left.top, right.top) + inset,
          bottom: Math.min(left.bottom, right.bottom) - inset,
        };
      }
    }
  return null;
}

/** The foreground inside of an area; the rest is background. */
export function within(foreground: Uint8Array, width: number, { left, top, right, bottom }: Area): Uint8Array {
  const inside = new Uint8Array(foreground.length);
  for (let y = top; y < bottom; y++)
    inside.set(foreground.subarray(y * width + left, y * width + right), y * width + left);
  return inside;
}

function longestRun(
  foreground: Uint8Array,
  { x, width, height }: { x: number; width: number; height: number },
): Side | null {
  let best: Side | null = null;
  for (let y = 0; y < height; y++) {
    if (foreground[y * width + x] === 0) continue;
    const top = y;
    while (y < height && foreground[y * width + x] === 1) y++;
    if (best === null || y - top > best.bottom - best.top) best = { x, top, bottom: y };
  }
  return best !== null && best.bottom - best.top >= height * sideMin ? best : null;
}

function drawnShare(
  foreground: Uint8Array,
  width: number,
  { y, from, end }: { y: number; from: number; end: number },
): number {
  let count = 0;
  for (let x = from; x < end; x++) count += foreground[y * width + x] as number;
  return count / (end - from);
}
