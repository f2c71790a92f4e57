import { DRAWING_TEXT_MAX, type DrawingKind } from '@sextant/workers/src/core/chartDrawings.ts';

/** Pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The plot, in pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Segment = readonly [from: Point, to: Point];

/** What is drawn and hit of a drawing. */
export interface Outline {
  segments: readonly Segment[];
  /** Boxes that are hit inside too. */
  boxes: readonly Area[];
}

/** Ratios of a retracement, from the second point back to the first. */
export const fibonacciRatios = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;

/** Width of a character and height of a line of texts, in the font of the axes at 12 px. */
export const TEXT_CHAR_PX = 7.25;
export const TEXT_LINE_PX = 16;
export const TEXT_PX_MAX = DRAWING_TEXT_MAX * TEXT_CHAR_PX;

/** The box around two opposite corners. */
export const boxOf = (a: Point, b: Point): Area => ({
  left: Math.min(a.x, b.x),
  right: Math.max(a.x, b.x),
  top: Math.min(a.y, b.y),
  bottom: Math.max(a.y, b.y),
});

const edgesOf = ({ left, top, right, bottom }: Area): Segment[] => {
  const corners = [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  return corners.map((corner, at) => [corner, corners[(at + 1) % 4] ?? corner]);
};

/** Where a ray leaves the plot; the second point where it lies outside already or both points are the same. */
export function rayEnd(from: Point, through: Point, { left, top, right, bottom }: Area): Point {
  const [dx, dy] = [through.x - from.x, through.y - from.y];
  // How far along the ray each pair of edges lies, in distances of the two points.
  const along = [
    dx === 0 ? Infinity : ((dx > 0 ? right : left) - from.x) / dx,
    dy === 0 ? Infinity : ((dy > 0 ? bottom : top) - from.y) / dy,
  ];
  // A ray that starts outside passes one pair of edges before it enters: the farther one counts then.
  const isInside = from.x >= left && from.x <= right && from.y >= top && from.y <= bottom;
  const far = isInside ? Math.min(...along) : Math.max(...along.filter(Number.isFinite), 1);
  if (!Number.isFinite(far)) return through;
  const t = Math.max(1, far);
  return { x: from.x + dx * t, y: from.y + dy * t };
}

interface Placed {
  kind: DrawingKind;
  /** Pixels of the anchors. */
  points: readonly Point[];
  /** Pixel rows of the ratios, for a retracement. */
  ratioRows?: readonly number[];
  /** Characters of the text. */
  textLength: number;
  /** Canvas pixels of a CSS pixel. */
  unit: number;
}

/** Lines and boxes of a drawing in the plot. */
export function outlineOf({ kind, points, ratioRows = [], textLength, unit }: Placed, area: Area): Outline {
  const [first, second, third] = points;
  if (first === undefined) return { segments: [], boxes: [] };
  if (kind === 'horizontal') {
    const line: Segment = [
      { x: area.left, y: first.y },
      { x: area.right, y: first.y },
    ];
    return { segments: [line], boxes: [] };
  }
  if (kind === 'text') {
    const right = first.x + textLength * TEXT_CHAR_PX * unit;
    return { segments: [], boxes: [{ left: first.x, right, top: first.y - TEXT_LINE_PX * unit, bottom: first.y }] };
  }
  if (second === undefined) return { segments: [], boxes: [] };
  if (kind === 'trend') return { segments: [[first, second]], boxes: [] };
  if (kind === 'ray') return { segments: [[first, rayEnd(first, second, area)]], boxes: [] };
  const box = boxOf(first, second);
  if (kind === 'rectangle') return { segments: edgesOf(box), boxes: [] };
  if (kind === 'measure') return { segments: edgesOf(box), boxes: [box] };
  if (kind === 'fibonacci') {
    const rows = ratioRows.map((y): Segment => [
      { x: box.left, y },
      { x: box.right, y },
    ]);
    return { segments: [...rows, [first, second]], boxes: [] };
  }
  return third === undefined ? { segments: [], boxes: [] } : { segments: [], boxes: [box, boxOf(first, third)] };
}

/** Distance of a point to a line segment. */
export function distanceTo({ x, y }: Point, [from, to]: Segment): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(x - from.x - t * dx, y - from.y - t * dy);
}

const isIn = ({ x, y }: Point, { left, right, top, bottom }: Area): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** Whether a point is on the drawing, within a reach in pixels. */
export const isHit = (point: Point, { segments, boxes }: Outline, reach: number): boolean =>
  boxes.some((box) => isIn(point, box)) || segments.some((segment) => distanceTo(point, segment) <= reach);

/** The nearest handle within a reach; -1: none. */
export function handleAt(point: Point, handles: readonly Point[], reach: number): number {
  let [result, least] = [-1, reach];
  handles.forEach(({ x, y }, at) => {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance > least) return;
    [result, least] = [at, distance];
  });
  return result;
}

/** The nearest of the four prices of a candle, within a reach in pixels; otherwise the price itself. */
export function magnetPrice(
  price: number,
  candidates: readonly number[],
  { yOf, reach }: { yOf: (price: number) => number; reach: number },
): number {
  const y = yOf(price);
  let [result, least] = [price, reach];
  for (const candidate of candidates) {
    const distance = Math.abs(yOf(candidate) - y);
    if (distance > least) continue;
    [result, least] = [candidate, distance];
  }
  return result;
}

/** Radius of the circles that drag a drawing, CSS pixels. */
export const handlesRadius = 5;
