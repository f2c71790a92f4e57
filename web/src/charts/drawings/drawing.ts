import { drawingAnchors, type DrawingKind } from '@sextant/workers/src/core/chartDrawings.ts';

export interface Anchor {
  /** Epoch ms. */
  time: number;
  price: number;
}

/** Something drawn on the candles of a symbol, as the API stores it. Never changed in place. */
export interface Drawing {
  id: string;
  kind: DrawingKind;
  /** As many as drawingAnchors says; of long and short: entry, target, stop. */
  anchors: Anchor[];
  text: string;
  is_locked: boolean;
  is_hidden: boolean;
}

export const drawingNames: Record<DrawingKind, string> = {
  horizontal: 'Horizontal line',
  trend: 'Trend line',
  ray: 'Ray',
  rectangle: 'Rectangle',
  fibonacci: 'Fibonacci retracement',
  measure: 'Measure',
  text: 'Text',
  long: 'Long position',
  short: 'Short position',
};

/** Points that the user places; the target of a position follows from entry and stop. */
export const placedCount = (kind: DrawingKind): number => Math.min(2, drawingAnchors[kind]);

/** Target of a new position, in distances of its stop. */
const START_R = 2;
/** The contract's bounds of an anchor. */
const PRICE_MIN = 1e-12;
const PRICE_MAX = 1e12;
const TIME_MAX = 4_102_444_800_000;

const anchorOf = ({ time, price }: Anchor): Anchor => ({
  time: Math.round(Math.min(TIME_MAX, Math.max(0, time))),
  price: Math.min(PRICE_MAX, Math.max(PRICE_MIN, price)),
});

/** A new drawing. @param placed the points that the user placed, placedCount(kind) of them */
export function createDrawing(kind: DrawingKind, placed: readonly Anchor[], id: string = crypto.randomUUID()): Drawing {
  const isPosition = kind === 'long' || kind === 'short';
  const anchors = isPosition ? positionAnchors(kind, placed) : placed.map(anchorOf);
  return { id, kind, anchors, text: kind === 'text' ? 'Note' : '', is_locked: false, is_hidden: false };
}

/** Entry and stop as placed, whichever side the pointer was on; the target at START_R. */
function positionAnchors(kind: 'long' | 'short', [entry, other]: readonly Anchor[]): Anchor[] {
  if (entry === undefined || other === undefined) return [];
  const sign = kind === 'long' ? 1 : -1;
  const risk = Math.abs(other.price - entry.price);
  const [from, to] = [Math.min(entry.time, other.time), Math.max(entry.time, other.time)];
  return [
    { time: from, price: entry.price },
    { time: to, price: entry.price + sign * risk * START_R },
    { time: to, price: entry.price - sign * risk },
  ].map(anchorOf);
}

/** Handles that drag a drawing: its anchors, and the other two corners of a box. */
export const handleCount = (kind: DrawingKind): number => (isBox(kind) ? 4 : drawingAnchors[kind]);

export const isBox = (kind: DrawingKind): boolean => kind === 'rectangle' || kind === 'measure';

/** Time and price of each handle. */
export function handlesOf({ kind, anchors }: Drawing): Anchor[] {
  const [first, second] = anchors;
  if (!isBox(kind) || first === undefined || second === undefined) return anchors;
  return [first, second, { time: first.time, price: second.price }, { time: second.time, price: first.price }];
}

/** The drawing with one handle moved. */
export function moveHandle(drawing: Drawing, handle: number, to: Anchor): Drawing {
  const point = anchorOf(to);
  const { kind } = drawing;
  const [first, second, third] = drawing.anchors;
  if (isBox(kind) && handle >= 2 && first !== undefined && second !== undefined) {
    const anchors =
      handle === 2
        ? [
            { ...first, time: point.time },
            { ...second, price: point.price },
          ]
        : [
            { ...first, price: point.price },
            { ...second, time: point.time },
          ];
    return { ...drawing, anchors };
  }
  if ((kind === 'long' || kind === 'short') && first !== undefined && second !== undefined && third !== undefined)
    return { ...drawing, anchors: movePosition(kind, [first, second, third], handle, point) };
  return { ...drawing, anchors: drawing.anchors.map((anchor, at) => (at === handle ? point : anchor)) };
}

/** The target stays on the side of the gain, the stop on the other; both end at the same time. */
function movePosition(
  kind: 'long' | 'short',
  [entry, target, stop]: readonly [Anchor, Anchor, Anchor],
  handle: number,
  point: Anchor,
): Anchor[] {
  const least = (a: number, b: number) => (kind === 'long' ? Math.min(a, b) : Math.max(a, b));
  const most = (a: number, b: number) => (kind === 'long' ? Math.max(a, b) : Math.min(a, b));
  if (handle === 0) {
    const price = least(most(point.price, stop.price), target.price);
    return [{ time: Math.min(point.time, target.time), price }, target, stop];
  }
  const time = Math.max(point.time, entry.time);
  return handle === 1
    ? [entry, { time, price: most(point.price, entry.price) }, { ...stop, time }]
    : [entry, { ...target, time }, { time, price: least(point.price, entry.price) }];
}

/** The drawing with each anchor moved. */
export const moveAll = (drawing: Drawing, move: (anchor: Anchor) => Anchor): Drawing => ({
  ...drawing,
  anchors: drawing.anchors.map((anchor) => anchorOf(move(anchor))),
});
