import { bodiesOf, candleInks, commonWidth, mended, mixesHollow, withoutBars, withoutLabels } from './bodies.ts';
import { bestPath, bodiesAt, type Body, type ColumnGrid } from './columns.ts';
import { type Box, fillHollow, joinShades, labelsOf, stripLines, stripVolume } from './labels.ts';
import { candlesMin, inOneRow, type Lattice, latticeByPhase, latticeOf } from './lattice.ts';
import { coverAt, coverageOf, type Ink, lumaOf, type Raster, type Rgb } from './raster.ts';

/** A candle in pixels: rows run down the picture, edges are the borders between pixels. */
export interface PixelCandle {
  /** Centre. */
  x: number;
  /** Place in the row of candles, from 0; a place that could not be read is missing from the list. */
  index: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

export interface CandleReading {
  candles: PixelCandle[];
  /** Distance between the centres of neighbours. */
  step: number;
  bodyWidth: number;
  up: Rgb;
  down: Rgb;
}

/**
 * Candles repeat at one width and one distance. The width is the one that covers most area in the two commonest inks; bodies of that width
 * give the step; then each column is read separately and wicks are followed from each body. Null with fewer than `least` candles.
 */
export function readCandles(
  raster: Raster,
  background: Rgb,
  foreground: Uint8Array,
  inks: readonly Ink[],
  least = candlesMin,
): CandleReading | null {
  const labels = labelsOf(raster, background, foreground, inks);
  stripLines(labels, raster);
  stripVolume(labels, raster);
  const box: Box = raster;
  const plain = labels.slice();
  const holes = fillHollow(labels, box, inks.length);
  const bodyWidth = commonWidth(labels, box);
  if (bodyWidth < 2) return null;
  const pairs = candleInks(labels, box, inks.length, bodyWidth);
  // Among many pairs a few shapes can look like a row by chance.
  for (const [at, pair] of (least < candlesMin ? pairs.slice(0, 1) : pairs).entries()) {
    const reading = candlesIn({ raster, background, foreground, inks, labels, plain, holes, bodyWidth }, pair, least);
    if (reading !== null && (at === 0 || isTwoColoured(reading, background))) return reading;
  }
  return null;
}

/** Minimum share of the candles in each direction's colour. */
const sideMin = 0.15;

/** Text in one ink can stand in a row; candles rise in one colour and fall in the other. */
function isTwoColoured({ candles, up, down }: CandleReading, background: Rgb): boolean {
  // The blurred edges of text are a shade of it.
  if (coverAt(up, 0, background, down) > 0 || coverAt(down, 0, background, up) > 0) return false;
  const rising = candles.filter(({ open, close }) => close < open).length;
  return up !== down && Math.min(rising, candles.length - rising) > candles.length * sideMin;
}

interface Ground {
  raster: Raster;
  background: Rgb;
  foreground: Uint8Array;
  inks: readonly Ink[];
  /** With hollow bodies filled, and as drawn. */
  labels: Int8Array;
  plain: Int8Array;
  holes: Uint8Array;
  bodyWidth: number;
}

function candlesIn(ground: Ground, pair: readonly number[], least: number): CandleReading | null {
  const { raster, background, foreground, inks, labels, holes, bodyWidth } = ground;
  const box: Box = raster;
  const matches = withoutBars(bodiesOf({ labels, holes, box, pair, bodyWidth }), box);
  const whole = mended(withoutLabels(matches, labels, box, bodyWidth), foreground, box, bodyWidth);
  if (whole.length < least) return null;
  const row = latticeOf(inOneRow(whole, bodyWidth), least);
  // Phases of a few bodies are not significant.
  const lattice = row ?? (least < candlesMin ? null : latticeByPhase(whole, bodyWidth, raster.width));
  if (lattice === null) return null;
  const { width, height } = raster;
  const plain = ground.plain.slice();
  if (whole.filter(({ isHollow }) => isHollow).length > whole.length * hollowMin)
    joinShades(plain, background, inks, pair);
  const grid = { labels: plain, foreground, width, height, inks: pair, bodyWidth, step: lattice.step };
  const placed = secondLook(grid, lattice);
  const span = (placed.at(-1)?.index ?? 0) * lattice.step;
  if (placed.length < least || span < width * spanMin) return null;
  const covers = new Map(pair.map((ink) => [ink, coverageOf(raster, background, (inks[ink] as Ink).rgb)]));
  const traced = placed.map(({ body, index, isUp }) => {
    const cover = covers.get(body.ink) as Tracing['cover'];
    const luma = lumaOf(raster, background, (inks[body.ink] as Ink).rgb);
    return { index, isUp, body, ...extentOf({ cover, luma, labels, box, bodyWidth, step: lattice.step }, body) };
  });
  const candles = traced.map(({ index, body: { x }, isUp, top, bottom, high, low }): PixelCandle => ({
    index,
    x,
    high,
    low,
    open: isUp ? bottom : top,
    close: isUp ? top : bottom,
  }));
  if (!isContinuous(candles)) return null;
  const colour = (isUp: boolean): Rgb => {
    const one = traced.find((each) => each.isUp === isUp);
    return (inks[one?.body.ink ?? pair[0] ?? 0] as Ink).rgb;
  };
  return { candles, step: lattice.step, bodyWidth, up: colour(true), down: colour(false) };
}

/** Narrower rows of shapes are textures and borders of maps. */
const spanMin = 0.2;

/** From this share of hollow bodies on, thin outlines matter. */
const hollowMin = 0.1;

/** Columns beside the row that may hold a candle, too. */
const besideCount = 3;

/**
 * Reads each column of the row again, and decides which class of bodies rises: a market that never closes opens where it closed, so the
 * right choice leaves the smaller jumps between neighbours. No palette is assumed.
 */
function secondLook(grid: ColumnGrid, { step, placed }: Lattice): { body: Body; index: number; isUp: boolean }[] {
  const [first, last] = [placed[0] as Lattice['placed'][number], placed.at(-1) as Lattice['placed'][number]];
  const known = new Map(placed.map(({ body, index }) => [index, body.x]));
  const columns: Body[][] = [];
  for (let index = -besideCount; index <= last.index + besideCount; index++) {
    const x = known.get(index) ?? first.body.x + index * step;
    columns.push(x < 0 || x >= grid.width ? [] : bodiesAt(grid, x, index < 0 || index > last.index));
  }
  const byInk = (body: Body): boolean => body.ink === grid.inks[0];
  const byFilling = (body: Body): boolean => body.isHollow;
  const classes = mixesHollow(columns.flat()) ? [byInk, byFilling] : [byInk];
  const paths = classes.flatMap((isFirst) =>
    [true, false].map((isFirstUp) => {
      const isUp = (body: Body): boolean => isFirst(body) === isFirstUp;
      return { isUp, ...bestPath(columns, { isUp, height: grid.height, free: besideCount }) };
    }),
  );
  const best = paths.reduce((least, path) => (path.cost < least.cost ? path : least));
  const from = best.placed[0]?.index ?? 0;
  return best.placed.map(({ body, index }) => ({ body, index: index - from, isUp: best.isUp(body) }));
}

interface Tracing {
  /** Share of a pixel that is covered by the ink. */
  cover: (pixel: number) => number;
  /** Brightness of a pixel between background (0) and ink (1); constant 0 where the two are equally bright. */
  luma: (pixel: number) => number;
  labels: Int8Array;
  box: Box;
  bodyWidth: number;
  step: number;
}

/** Rows without ink that a wick may have, e.g. under a curve. */
const wickGapMax = 4;

/** Body edges to a fraction of a pixel, and the ends of the wicks. */
function extentOf(
  { cover, luma, labels, box, bodyWidth, step }: Tracing,
  body: Body,
): { top: number; bottom: number; high: number; low: number } {
  const { width, height } = box;
  const centre = Math.floor(body.x);
  const at = (x: number, y: number): number => (y < 0 || y >= height || x < 0 || x >= width ? 0 : cover(y * width + x));
  const side = Math.max(1, Math.floor(bodyWidth * 0.3));
  const beside = (y: number): number => (at(centre - side, y) + at(centre + side, y)) / 2;
  const isFine = bodyWidth >= 5;
  const top = isFine
    ? body.top + 1 - Math.min(1, beside(body.top)) - (beside(body.top - 1) < 0.5 ? beside(body.top - 1) : 0)
    : body.top;
  const bottom = isFine
    ? body.bottom - 1 + Math.min(1, beside(body.bottom - 1)) + (beside(body.bottom) < 0.5 ? beside(body.bottom) : 0)
    : body.bottom;
  const reach = bodyWidth >= 4 ? 1 : 0;
  const aside = Math.max(2, Math.round(step * 0.35));
  const isWick = (y: number): boolean => {
    if (y < 0 || y >= height) return false;
    for (let x = centre - reach; x <= centre + reach; x++) {
      if (at(x, y) >= 0.35 && !isWideOther(labels, width, x, y, body.ink, bodyWidth)) return true;
    }
    // Compression keeps brightness where it has smeared the colour; a wick is bright between two dark sides.
    const bright = luma(y * width + centre);
    return (
      bright >= 0.35 && Math.max(luma(y * width + centre - aside), luma(y * width + centre + aside)) < bright * 0.5
    );
  };
  const end = (from: number, way: 1 | -1): number => {
    let last = from;
    for (let y = from + way, missed = 0; missed <= wickGapMax && y >= 0 && y < height; y += way) {
      if (isWick(y)) {
        last = y;
        missed = 0;
      } else missed++;
    }
    return last;
  };
  const [upper, lower] = [end(body.top, -1), end(body.bottom - 1, 1)];
  return {
    top,
    bottom: Math.max(bottom, top),
    high: Math.min(top, upper < body.top ? upper : top),
    low: Math.max(bottom, lower > body.bottom - 1 ? lower + 1 : bottom),
  };
}

/** True where another ink stands as wide as a body: a pale volume bar, which is no wick. */
function isWideOther(labels: Int8Array, width: number, x: number, y: number, ink: number, bodyWidth: number): boolean {
  const label = labels[y * width + x] as number;
  if (label === ink || label < 0) return false;
  let [from, end] = [x, x + 1];
  while (from > 0 && labels[y * width + from - 1] === label) from--;
  while (end < width && labels[y * width + end] === label) end++;
  return end - from >= bodyWidth * 0.6;
}

const jumpsOf = (candles: readonly PixelCandle[]): number[] =>
  candles.slice(1).flatMap((candle, at) => {
    const before = candles[at] as PixelCandle;
    return candle.index === before.index + 1 ? [Math.abs(candle.open - before.close)] : [];
  });

export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Bars that start anywhere are no candles: a market opens near its last close, and its bodies stand at many heights. */
export function isContinuous(candles: readonly PixelCandle[]): boolean {
  const ranges = candles.map(({ high, low }) => low - high);
  // Bars on one base have one side, or one end, on the same row.
  const rows = (row: (candle: PixelCandle) => number): number =>
    new Set(candles.map((candle) => Math.round(row(candle)))).size;
  const least = Math.min(
    rows(({ open }) => open),
    rows(({ high }) => high),
    rows(({ low }) => low),
    rows(({ close }) => close),
  );
  // Characters of one line of text share their rows; a market moves over more than one candle.
  const closes = candles.map(({ close }) => close).sort((a, b) => a - b);
  const at = (share: number): number => closes[Math.floor((closes.length - 1) * share)] ?? 0;
  if (at(0.95) - at(0.05) < medianOf(ranges)) return false;
  return medianOf(jumpsOf(candles)) <= Math.max(2, medianOf(ranges) * 0.5) && least > candles.length * 0.25;
}
