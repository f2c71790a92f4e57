import { type CandleReading, isContinuous, medianOf, type PixelCandle } from './candles.ts';
import type { Body } from './columns.ts';
import { type Box, labelsOf, stripLines } from './labels.ts';
import { candlesMin, type Lattice, latticeByPhase, latticeOf } from './lattice.ts';
import type { Ink, Raster, Rgb } from './raster.ts';

/**
 * OHLC bars: a vertical stroke from low to high, a tick to its left at the open and one to its right at the close. A candle never looks like
 * that: both sides of its body are drawn over the same rows.
 */

/** Wider strokes are bodies. */
const strokeWidthMax = 12;
const strokeHeightMin = 4;
/** Rows without ink inside a stroke: a line across the picture was removed there. */
const gapMax = 4;
/** Share of the places that have a bar, and of the bars whose ticks stand apart. */
const placedMin = 0.7;
const apartMin = 0.4;
/** Inks that can draw bars, commonest first; one of them may be the grid. */
const inksTried = 4;

interface Stroke extends Body {
  /** Width of the stroke. */
  pen: number;
}

export function readOhlcBars(
  raster: Raster,
  background: Rgb,
  foreground: Uint8Array,
  inks: readonly Ink[],
): CandleReading | null {
  const whole = labelsOf(raster, background, foreground, inks);
  const labels = whole.slice();
  stripLines(labels, raster);
  let best: CandleReading | null = null;
  const tried = Math.min(inksTried, inks.length);
  // A second ink that draws no bars does no harm, so a single ink is tried only where it is the only one.
  for (let first = 0; first < Math.max(1, tried - 1); first++)
    for (let second = Math.min(first + 1, tried - 1); second < tried && second >= 0; second++) {
      const reading = barsIn({ whole, labels }, raster, inks, [first, second]);
      if (reading !== null && (best === null || reading.candles.length > best.candles.length)) best = reading;
    }
  return best;
}

/** Inks of the pixels: all of them, and without lines across the picture. A tick that lies on a grid line is in the first only. */
interface Labels {
  whole: Int8Array;
  labels: Int8Array;
}

function barsIn(
  { whole, labels }: Labels,
  box: Box,
  inks: readonly Ink[],
  pair: readonly [number, number],
): CandleReading | null {
  const [mask, wholeMask] = [maskOf(labels, pair), maskOf(whole, pair)];
  const strokes = strokesOf(labels, box, mask);
  if (strokes.length < candlesMin) return null;
  const pen = medianOf(strokes.map((stroke) => stroke.pen));
  const ownMasks = new Map<number, Uint8Array>();
  const ownMask = (ink: number): Uint8Array => {
    const made = ownMasks.get(ink) ?? maskOf(whole, [ink, ink]);
    ownMasks.set(ink, made);
    return made;
  };
  // Digits and grid lines are strokes without ticks. A bar is drawn in one ink: the labels of an axis inside the plot, in another one, may
  // cover a side of it.
  const bar = (stroke: Stroke, reach: number): Bar | null =>
    barOf(box, mask, stroke, reach) ?? barOf(box, wholeMask, stroke, reach);
  const covered = (stroke: Stroke, reach: number): Bar | null => barOf(box, ownMask(stroke.ink), stroke, reach);
  const ticked = strokes.filter((stroke) => bar(stroke, 1) !== null);
  const lattice = latticeOf(longestOf(ticked)) ?? latticeByPhase(ticked, Math.max(2, pen), box.width);
  if (lattice === null || lattice.step < pen + 3) return null;
  const { step, first, count } = rowOf(lattice);
  const bars = barsAt(strokes, { bar, covered }, { step, first, count });
  const apart = bars.filter(({ open, close }) => Math.abs(open - close) > pen).length;
  if (bars.length < candlesMin || bars.length < count * placedMin) return null;
  if (apart < bars.length * apartMin) return null;
  const start = bars[0]?.index ?? 0;
  const candles = bars.map(({ index, x, open, high, low, close }): PixelCandle => ({
    index: index - start,
    x,
    open,
    high,
    low,
    close,
  }));
  if (!isContinuous(candles)) return null;
  const colour = (isUp: boolean): Rgb =>
    (inks[bars.find(({ open, close }) => close < open === isUp)?.ink ?? pair[0]] as Ink).rgb;
  return { candles, step, bodyWidth: Math.max(2, step * 0.6), up: colour(true), down: colour(false) };
}

type Bar = Omit<PixelCandle, 'index'>;

/** 1 where a pixel has one of two inks. */
function maskOf(labels: Int8Array, [one, other]: readonly [number, number]): Uint8Array {
  const mask = new Uint8Array(labels.length);
  for (let pixel = 0; pixel < mask.length; pixel++)
    if (labels[pixel] === one || labels[pixel] === other) mask[pixel] = 1;
  return mask;
}

/** The line through the columns of the strokes: edges of single strokes are rounded to pixels. */
function rowOf({ placed }: Lattice): { step: number; first: number; count: number } {
  const meanIndex = placed.reduce((sum, { index }) => sum + index, 0) / placed.length;
  const meanX = placed.reduce((sum, { body }) => sum + body.x, 0) / placed.length;
  let [cross, square] = [0, 0];
  for (const { index, body } of placed) {
    cross += (index - meanIndex) * (body.x - meanX);
    square += (index - meanIndex) ** 2;
  }
  const step = cross / square;
  return { step, first: meanX - meanIndex * step, count: (placed.at(-1)?.index ?? 0) + 1 };
}

/** Places beside the row that may have a bar, too. */
const besideCount = 3;

/** Rows by which a bar that labels cover may open beside the last close: the digits of an axis have no close before them. */
const coveredJumpMax = 3;

interface BarReaders {
  bar: (stroke: Stroke, reach: number) => Bar | null;
  /** A bar whose sides other inks cover in part. */
  covered: (stroke: Stroke, reach: number) => Bar | null;
}

/** The bar at each place of the row: of the strokes near it the one that opens nearest to the last close. */
function barsAt(
  strokes: readonly Stroke[],
  { bar: barAt, covered }: BarReaders,
  { step, first, count }: { step: number; first: number; count: number },
): (PixelCandle & { ink: number })[] {
  const near = Map.groupBy(strokes, ({ x }) => Math.round((x - first) / step));
  const bars: (PixelCandle & { ink: number })[] = [];
  for (let index = -besideCount; index < count + besideCount; index++) {
    const centre = first + index * step;
    const matches = (near.get(index) ?? [])
      .filter(({ x }) => Math.abs(x - centre) <= Math.max(1.5, step * 0.3))
      .flatMap((stroke) => {
        const reach = reachAt(step, stroke.pen);
        const whole = barAt(stroke, reach);
        const bar = whole ?? covered(stroke, reach);
        if (bar === null) return [];
        const match = { ...bar, index, ink: stroke.ink };
        return whole === null && (bars.length === 0 || jumpTo(match, bars) > coveredJumpMax) ? [] : [match];
      });
    const [nearest] = matches.sort((a, b) => jumpTo(a, bars) - jumpTo(b, bars));
    if (nearest !== undefined) bars.push(nearest);
  }
  return bars;
}

/** Rows between the open of a bar and the close before it; longer bars first where there is none. */
function jumpTo({ open, high, low }: PixelCandle, before: readonly PixelCandle[]): number {
  const last = before.at(-1);
  return last === undefined ? high - low : Math.abs(open - last.close);
}

/** Narrow vertical strokes: neighbouring columns of one stroke are one. */
function strokesOf(labels: Int8Array, { width, height }: Box, mask: Uint8Array): Stroke[] {
  const open: (Stroke & { right: number })[] = [];
  const done: (Stroke & { right: number })[] = [];
  for (let x = 0; x < width; x++) {
    for (let at = open.length - 1; at >= 0; at--)
      if ((open[at] as Stroke & { right: number }).right < x - 1) done.push(...open.splice(at, 1));
    for (const { top, bottom } of columnRuns(mask, { x, width, height })) {
      // A tick beside a stroke is much shorter than it.
      const isAlike = (run: Stroke): boolean =>
        run.top < bottom &&
        top < run.bottom &&
        Math.max(bottom - top, run.bottom - run.top) < 2 * Math.min(bottom - top, run.bottom - run.top);
      const known = open.find((run) => run.right === x - 1 && isAlike(run));
      if (known === undefined) {
        const ink = labels[((top + bottom) >> 1) * width + x] as number;
        open.push({ x: x + 0.5, top, bottom, ink, pixels: bottom - top, isHollow: false, pen: 1, right: x });
        continue;
      }
      known.right = x;
      known.pen++;
      known.x = x + 1 - known.pen / 2;
      known.top = Math.min(known.top, top);
      known.bottom = Math.max(known.bottom, bottom);
      known.pixels += bottom - top;
    }
  }
  return [...done, ...open].filter(({ pen, top, bottom }) => pen <= strokeWidthMax && bottom - top > pen);
}

function columnRuns(
  mask: Uint8Array,
  { x, width, height }: { x: number; width: number; height: number },
): { top: number; bottom: number }[] {
  const runs: { top: number; bottom: number }[] = [];
  for (let y = 0; y < height; y++) {
    if (mask[y * width + x] === 0) continue;
    let [bottom, inked] = [y + 1, 1];
    for (let row = bottom; row < height && row - bottom < gapMax; row++)
      if (mask[row * width + x] === 1) {
        bottom = row + 1;
        inked++;
      }
    if (inked >= strokeHeightMin && bottom - y <= height * 0.7) runs.push({ top: y, bottom });
    y = bottom;
  }
  return runs;
}

/** The longest stroke of each column, from left to right. */
function longestOf(strokes: readonly Stroke[]): Stroke[] {
  const columns = new Map<number, Stroke>();
  for (const stroke of strokes) {
    const key = Math.round(stroke.x / 3);
    const known = columns.get(key);
    if (known === undefined || stroke.pixels > known.pixels) columns.set(key, stroke);
  }
  return [...columns.values()].sort((a, b) => a.x - b.x);
}

/** Columns from a stroke to where its ticks are read: beside the blur of the stroke, and well before those of its neighbours. */
const reachAt = (step: number, pen: number): number => Math.max(1, Math.min(3, Math.floor((step - pen) / 4)));

/** Ticks of a stroke, `reach` columns beside it; null where it has none, or where a side is drawn over more rows than a tick has. */
function barOf({ width }: Box, mask: Uint8Array, { x, top, bottom, pen }: Stroke, reach: number): Bar | null {
  const tick = (way: 1 | -1): number | null => {
    const column = way === 1 ? Math.ceil(x + pen / 2) + reach - 1 : Math.floor(x - pen / 2) - reach;
    if (column < 0 || column >= width) return null;
    const rows: number[] = [];
    for (let y = top - 1; y <= bottom; y++) if (mask[y * width + column] === 1) rows.push(y);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined || last - first + 1 > pen + 2) return null;
    return (first + last + 1) / 2;
  };
  const [open, close] = [tick(-1), tick(1)];
  if (open === null || close === null) return null;
  return { x, high: Math.min(top, open, close), low: Math.max(bottom, open, close), open, close };
}
