/**
 * The second pass over a row of candles: once their width, step and colours are known, each column is read separately. A row of pixels
 * belongs to a body where its left and its right side are drawn, which holds for filled and for hollow bodies, and a curve over a body
 * hides a few rows only. Of the pieces of all columns the path with the smallest jumps from close to open is the market.
 */

export interface Body {
  x: number;
  top: number;
  bottom: number;
  /** Index of the ink. */
  ink: number;
  pixels: number;
  isHollow: boolean;
}

export interface ColumnGrid {
  /** Ink of each pixel, -1 for none. */
  labels: Int8Array;
  foreground: Uint8Array;
  width: number;
  height: number;
  inks: readonly number[];
  bodyWidth: number;
  step: number;
}

/** Rows without any ink inside a body: compression. */
const blankMax = 2;
/** Rows of another colour over a body, as a share of the height of the picture. */
const hiddenShare = 0.03;

/** The pieces of a column that may be a body. `x`: centre of the column. `isOutside`: beside the row, where text may stand. */
export function bodiesAt(grid: ColumnGrid, x: number, isOutside: boolean): Body[] {
  const isMore = isOutside ? isLabel : isPartOfMore;
  const whole = piecesAt(grid, x).filter((piece) => !isMore(grid, piece, grid.bodyWidth));
  const flat = flatBodiesAt(grid, x, isOutside ? [] : whole);
  if (!isOutside) return [...whole, ...flat];
  // The dashes of the last price go on beside the row: there a flat body needs a wick in a colour of the candles.
  return [...whole.filter(({ top, bottom }) => bottom - top > flatMax), ...flat.filter(({ pixels }) => pixels > 0)];
}

/** Runs of rows whose left and right sides are drawn. */
function piecesAt(grid: ColumnGrid, x: number): Body[] {
  const { height } = grid;
  const [left, right] = sidesOf(grid, x);
  const pieces: Body[] = [];
  const hiddenMax = Math.max(6, Math.round(height * hiddenShare));
  let open: { top: number; bottom: number; votes: Map<number, number> } | null = null;
  let blank = 0;
  let hidden = 0;
  const close = (): void => {
    if (open !== null) pieces.push(pieceOf(grid, x, open));
    open = null;
  };
  for (let y = 0; y < height; y++) {
    const [first, second] = [sideAt(grid, left, y), sideAt(grid, right, y)];
    // A curve may run along one side.
    if (Math.max(first, second) >= 0 && first !== NOTHING && second !== NOTHING) {
      open ??= { top: y, bottom: y, votes: new Map() };
      open.bottom = y + 1;
      for (const ink of [first, second]) if (ink >= 0) open.votes.set(ink, (open.votes.get(ink) ?? 0) + 1);
      blank = hidden = 0;
    } else if (open !== null) {
      if (first === NOTHING || second === NOTHING) blank++;
      else hidden++;
      if (blank > blankMax || hidden > hiddenMax) close();
    }
  }
  close();
  return pieces;
}

/** Higher ones have enough ink to be recognised by their colour. */
const flatMax = 4;
const wickMin = 3;

/**
 * Bodies of a few rows whose colour compression has washed away: both sides are drawn in any colour, and a wick starts at them. Without the
 * wick it is a line across the picture.
 */
function flatBodiesAt(grid: ColumnGrid, x: number, known: readonly Body[]): Body[] {
  const { foreground, width, height } = grid;
  const [left, right] = sidesOf(grid, x);
  const isDrawn = (y: number): boolean => sideAt(grid, left, y) !== NOTHING && sideAt(grid, right, y) !== NOTHING;
  const centre = Math.floor(x);
  const wickFrom = (y: number, way: 1 | -1): number => {
    let count = 0;
    for (let row = y; row >= 0 && row < height; row += way) {
      const isThin = sideAt(grid, left, row) === NOTHING && sideAt(grid, right, row) === NOTHING;
      if (foreground[row * width + centre] !== 1 || !isThin) break;
      count++;
    }
    return count;
  };
  const matches: Body[] = [];
  for (let y = 1; y < height; y++) {
    if (!isDrawn(y)) continue;
    let bottom = y + 1;
    while (bottom < height && isDrawn(bottom)) bottom++;
    const isNew = !known.some((body) => body.top < bottom + 2 && body.bottom > y - 2);
    if (bottom - y <= flatMax && isNew && Math.max(wickFrom(y - 1, -1), wickFrom(bottom, 1)) >= wickMin)
      matches.push({ x, top: y, bottom, ...inkNear(grid, centre, y, bottom), isHollow: false });
    y = bottom;
  }
  return matches;
}

/** The ink that most pixels of the wick around have, and how many; the first one when none has any. */
function inkNear(
  { labels, width, height, inks }: ColumnGrid,
  x: number,
  top: number,
  bottom: number,
): { ink: number; pixels: number } {
  const votes = new Map<number, number>();
  for (let y = Math.max(0, top - 12); y < Math.min(height, bottom + 12); y++) {
    const ink = labels[y * width + x] as number;
    if (inks.includes(ink)) votes.set(ink, (votes.get(ink) ?? 0) + 1);
  }
  const [ink = inks[0] ?? 0, pixels = 0] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { ink, pixels };
}

const NOTHING = -1;
const OTHER = -2;

/** Columns of pixels in which the sides of a body stand. */
function sidesOf({ bodyWidth, width }: ColumnGrid, x: number): [number[], number[]] {
  const from = Math.round(x - bodyWidth / 2);
  const last = Math.round(x + bodyWidth / 2) - 1;
  const offsets = bodyWidth >= 6 ? [-1, 0, 1] : bodyWidth >= 4 ? [0, 1] : [0];
  const inside = (column: number): boolean => column >= 0 && column < width;
  return [offsets.map((offset) => from + offset).filter(inside), offsets.map((offset) => last - offset).filter(inside)];
}

/** The ink of one side in a row, OTHER for another colour, NOTHING for background. */
function sideAt({ labels, foreground, width, inks }: ColumnGrid, columns: readonly number[], y: number): number {
  let actual = NOTHING;
  for (const x of columns) {
    const pixel = y * width + x;
    const ink = labels[pixel] as number;
    if (ink >= 0 && inks.includes(ink)) return ink;
    if (foreground[pixel] === 1) actual = OTHER;
  }
  return actual;
}

function pieceOf(
  { labels, foreground, width, inks, bodyWidth }: ColumnGrid,
  x: number,
  { top, bottom, votes }: { top: number; bottom: number; votes: ReadonlyMap<number, number> },
): Body {
  const [ink = -1] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [];
  const from = Math.round(x - bodyWidth / 2) + 2;
  const end = Math.round(x + bodyWidth / 2) - 2;
  let [drawn, all] = [0, 0];
  for (let y = top + 2; y < bottom - 2; y++) {
    for (let column = from; column < end; column++) {
      const pixel = y * width + column;
      const isInk = inks.includes(labels[pixel] as number);
      // Another colour does not identify the inside.
      if (!isInk && foreground[pixel] === 1) continue;
      all++;
      if (isInk) drawn++;
    }
  }
  const pixels = (bottom - top) * bodyWidth;
  return { x, top, bottom, ink, pixels, isHollow: all > 0 && drawn < all * 0.5 };
}

/** True for a part of something wider, such as the label of the last price: its rows go on in one ink over both neighbours. */
function isPartOfMore({ labels, width, step }: ColumnGrid, { x, top, bottom, ink }: Body, bodyWidth: number): boolean {
  const reach = Math.round(step / 2 + bodyWidth / 2);
  const [from, end] = [Math.max(0, Math.round(x) - reach), Math.min(width, Math.round(x) + reach)];
  let count = 0;
  for (let y = top; y < bottom; y++) {
    let isFull = true;
    for (let column = from; column < end && isFull; column++) isFull = labels[y * width + column] === ink;
    if (isFull) count++;
  }
  return count > (bottom - top) * 0.7;
}

/** Rows of a label that its text does not cut, as a share of its height. */
const clearShare = 0.25;
/** Rows of a filled body that are drawn over its whole width, as a share of its height. */
const solidShare = 0.7;

/**
 * Beside the row stand labels and digits of the axis. A label runs on to one side in rows its text leaves free; a digit has no straight
 * edges: a body is solid, or its top and bottom are drawn over its whole width.
 */
function isLabel(grid: ColumnGrid, body: Body, bodyWidth: number): boolean {
  const { labels, width, step } = grid;
  const { x, top, bottom, ink } = body;
  const centre = Math.floor(x);
  const own = Math.max(2, Math.round(bodyWidth * 0.8));
  const from = Math.round(x - own / 2);
  // Bodies without a gap between them can run into the neighbour.
  const most = step - bodyWidth >= 2 ? bodyWidth * 1.5 + 1 : step * 2.6;
  let [wide, solid] = [0, 0];
  const isSolid = (y: number): boolean => {
    for (let column = from; column < from + own; column++) if (labels[y * width + column] !== ink) return false;
    return true;
  };
  for (let y = top; y < bottom; y++) {
    let [left, right] = [centre, centre];
    while (left > 0 && labels[y * width + left - 1] === ink && centre - left <= most) left--;
    while (right < width - 1 && labels[y * width + right + 1] === ink && right - centre <= most) right++;
    if (labels[y * width + centre] === ink && right - left + 1 > most) wide++;
    if (isSolid(y)) solid++;
  }
  if (wide > (bottom - top) * clearShare) return true;
  return body.isHollow ? !isSolid(top) || !isSolid(bottom - 1) : solid < (bottom - top) * solidShare;
}

/** A column left out costs as much as a jump over this share of the height of the picture. */
const missingShare = 0.035;

export interface PlacedBody {
  body: Body;
  index: number;
}

interface State {
  body: Body;
  index: number;
  isUp: boolean;
  cost: number;
  before: State | null;
}

/**
 * One body a column: the path on which each candle opens nearest to the last close. `isUp`: the direction of a body. What else stands in
 * a column is a label, a bar of volume or a curve. `free`: columns at the ends that may be left out without a cost.
 */
export function bestPath(
  columns: readonly Body[][],
  { isUp, height, free }: { isUp: (body: Body) => boolean; height: number; free: number },
): { placed: PlacedBody[]; cost: number } {
  const missing = height * missingShare;
  const cost = (columnsLeftOut: number): number => columnsLeftOut * missing;
  const states: State[][] = [];
  let best: { state: State; cost: number } | null = null;
  const costOfStart = (index: number): number => cost(Math.max(0, index - free));
  const costOfEnd = (index: number): number => cost(Math.max(0, columns.length - 1 - free - index));
  for (const [index, column] of columns.entries()) {
    const matches = column.map((body): State => {
      const state: State = { body, index, isUp: isUp(body), cost: costOfStart(index), before: null };
      for (let back = 1; back <= Math.min(backMax, index); back++) {
        for (const before of states[index - back] ?? []) {
          const jump = Math.abs(openOf(state) - closeOf(before));
          const sum = before.cost + jump + cost(back - 1);
          if (sum < state.cost) [state.cost, state.before] = [sum, before];
        }
      }
      // Of two that fit, the larger one; a candle at the end counts when it continues the market.
      const isEnd = index < free || index >= columns.length - free;
      state.cost -= Math.min(height * 0.07, body.bottom - body.top) * 0.1 + (isEnd ? missing * 0.5 : 0);
      return state;
    });
    states.push(matches);
    for (const state of matches) {
      const sum = state.cost + costOfEnd(index);
      if (best === null || sum < best.cost) best = { state, cost: sum };
    }
  }
  const placed: PlacedBody[] = [];
  for (let state = best?.state ?? null; state !== null; state = state.before)
    placed.push({ body: state.body, index: state.index });
  return { placed: placed.reverse(), cost: best?.cost ?? Infinity };
}

/** Columns in a row that may be left out. */
const backMax = 7;

const openOf = ({ body, isUp }: State): number => (isUp ? body.bottom : body.top);
const closeOf = ({ body, isUp }: State): number => (isUp ? body.top : body.bottom);
