import { bestPath, bodiesAt, type Body, type ColumnGrid } from './columns.ts';
import { coverageOf, coverAt, distance2, lumaOf, type Ink, type Raster, type Rgb } from './raster.ts';

/** Longer than most files: the steps from pixels to one row of candles share their masks and widths, and none has another caller. */

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

/** Fewer are no chart that could be judged. */
export const candlesMin = 15;

interface Box {
  width: number;
  height: number;
}

/**
 * Candles are what is drawn again and again at one width and one distance. The width is the one that covers most area in the two
 * commonest inks; bodies of that width give the step; then each column is read by itself and wicks are followed from each body.
 */
export function readCandles(
  raster: Raster,
  background: Rgb,
  foreground: Uint8Array,
  inks: readonly Ink[],
): CandleReading | null {
  const labels = labelsOf(raster, background, foreground, inks);
  stripLines(labels, raster);
  stripVolume(labels, raster);
  const box: Box = raster;
  const plain = labels.slice();
  const holes = fillHollow(labels, box, inks.length);
  const bodyWidth = commonWidth(labels, box);
  if (bodyWidth < 2) return null;
  const pair = candleInks(labels, box, inks.length, bodyWidth);
  if (pair.length === 0) return null;
  const found = withoutBars(bodiesOf({ labels, holes, box, pair, bodyWidth }), box);
  const whole = mended(found, foreground, box, bodyWidth);
  if (whole.length < candlesMin) return null;
  const lattice = latticeOf(inOneRow(whole, bodyWidth)) ?? latticeByPhase(whole, bodyWidth, raster.width);
  if (lattice === null) return null;
  const { width, height } = raster;
  if (whole.filter(({ isHollow }) => isHollow).length > whole.length * hollowMin)
    joinShades(plain, background, inks, pair);
  const grid = { labels: plain, foreground, width, height, inks: pair, bodyWidth, step: lattice.step };
  const placed = secondLook(grid, lattice);
  const span = (placed.at(-1)?.index ?? 0) * lattice.step;
  if (placed.length < candlesMin || span < width * spanMin) return null;
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

/** Outlines of scaled pictures are paler than bodies: a blend of the background and a colour of the candles counts as that colour. */
function joinShades(labels: Int8Array, background: Rgb, inks: readonly Ink[], pair: readonly number[]): void {
  const joined = inks.map(({ rgb }, ink) => {
    if (pair.includes(ink)) return ink;
    return pair.find((other) => coverAt(rgb, 0, background, (inks[other] as Ink).rgb) > 0.3) ?? ink;
  });
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const ink = labels[pixel] as number;
    if (ink >= 0) labels[pixel] = joined[ink] ?? ink;
  }
}

/** Columns beside the row that may hold a candle, too. */
const besideCount = 3;

/**
 * Each column of the row anew, and which class of bodies rises: a market that never closes opens where it closed, so the right answer leaves
 * the smaller jumps between neighbours. No palette is assumed.
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

const inkNear = 78;

/** Less of an ink than this in a pixel is its blurred edge. */
const edgeCover = 0.42;

/** Index of the nearest ink of each pixel, -1 for none. Blends of background and ink, as scaled pictures have, count as that ink. */
function labelsOf({ rgb }: Raster, background: Rgb, foreground: Uint8Array, inks: readonly Ink[]): Int8Array {
  const labels = new Int8Array(foreground.length).fill(-1);
  for (let pixel = 0, at = 0; pixel < labels.length; pixel++, at += 3) {
    if (foreground[pixel] === 0) continue;
    let least = inkNear * inkNear;
    for (let ink = 0; ink < inks.length; ink++) {
      const far = distance2(rgb, at, (inks[ink] as Ink).rgb);
      if (far >= least) continue;
      least = far;
      labels[pixel] = ink;
    }
    if (labels[pixel] !== -1) continue;
    let most = edgeCover;
    for (let ink = 0; ink < inks.length; ink++) {
      const share = coverAt(rgb, at, background, (inks[ink] as Ink).rgb);
      if (share <= most) continue;
      most = share;
      labels[pixel] = ink;
    }
  }
  return labels;
}

/** Takes away rows of thin marks, such as the line of the last price: nothing stands above or below them. */
export function stripLines(labels: Int8Array, { width, height }: Box): void {
  const thick = width > 1400 ? 3 : 2;
  const far = thick * width;
  const isThin = (pixel: number): boolean =>
    (labels[pixel] as number) >= 0 && (labels[pixel - far] as number) < 0 && (labels[pixel + far] as number) < 0;
  for (let y = thick; y < height - thick; y++) {
    const from = y * width;
    const end = from + width;
    // Most rows have few marks of any kind: one look at each pixel shows it.
    let marked = 0;
    for (let pixel = from; pixel < end; pixel++) marked += ((labels[pixel] as number) >> 31) + 1;
    if (marked < width * 0.15) continue;
    let count = 0;
    for (let pixel = from; pixel < end; pixel++) if (isThin(pixel)) count++;
    if (count < width * 0.15) continue;
    for (let pixel = from; pixel < end; pixel++) if (isThin(pixel)) labels[pixel] = -1;
  }
}

/** Takes away volume bars: vertical strokes of one ink that end on one common row in the lower part. */
function stripVolume(labels: Int8Array, { width, height }: Box): void {
  for (let pass = 0; pass < 2; pass++) {
    const ends = new Uint32Array(height);
    let columns = 0;
    for (let x = 0; x < width; x++) {
      let isUsed = false;
      for (let y = 2; y < height - 1; y++) {
        const pixel = y * width + x;
        if ((labels[pixel] as number) < 0 || (labels[pixel + width] as number) >= 0) continue;
        ends[y] = (ends[y] as number) + 1;
        isUsed = true;
      }
      if (isUsed) columns++;
    }
    let base = 1;
    const near = (y: number): number => (ends[y - 1] ?? 0) + (ends[y] ?? 0) + (ends[y + 1] ?? 0);
    for (let y = Math.floor(height * 0.4); y < height - 1; y++) if (near(y) > near(base)) base = y;
    if (base < height * 0.4 || near(base) < columns * 0.5) return;
    for (let x = 0; x < width; x++) eraseBar(labels, width, height, x, base);
  }
}

/** Erases the stroke that ends at the base, upwards until its ink ends. Its last row may be blended with the row below, in a shade of its own. */
function eraseBar(labels: Int8Array, width: number, height: number, x: number, base: number): void {
  for (let end = Math.min(height - 1, base + 2); end >= base - 2; end--) {
    const last = labels[end * width + x] as number;
    if (last < 0) continue;
    const inside = labels[Math.max(0, end - 2) * width + x] as number;
    const ink = inside >= 0 ? inside : last;
    for (let y = end, missed = 0; y >= 0 && missed <= 2; y--) {
      const label = labels[y * width + x] as number;
      if (label === ink || (label >= 0 && y > end - 2)) {
        labels[y * width + x] = -1;
        missed = 0;
      } else missed++;
    }
    return;
  }
}

/** Widest inside of a hollow body. */
const hollowWidthMax = 60;

/** Fills what strokes of one ink enclose with that ink, and says where it did: hollow bodies count as bodies. */
export function fillHollow(labels: Int8Array, box: Box, inkCount: number): Uint8Array {
  const holes = new Uint8Array(labels.length);
  const runs = Array.from({ length: inkCount }, (): number[] => []);
  eachInkRun(labels, box, (from, end, ink) => {
    (runs[ink] as number[]).push(from, end);
  });
  runs.forEach((own, ink) => {
    const { from, end, isOutside } = gapsOf(own, box);
    from.forEach((start, gap) => {
      const stop = end[gap] as number;
      if (!isOutside(gap) && stop - start <= hollowWidthMax) holes.fill(ink + 1, start, stop);
    });
  });
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (holes[pixel] !== 0) labels[pixel] = (holes[pixel] as number) - 1;
  }
  return holes;
}

/**
 * The rows of pixels between the runs of one ink (first pixel and the one after the last), and which of them hang together with the edge of
 * the picture, over neighbours in a row and in a column. Joined as sets, so the cost grows with the runs and not with the pixels.
 */
function gapsOf(
  runs: readonly number[],
  { width, height }: Box,
): { from: number[]; end: number[]; isOutside: (gap: number) => boolean } {
  const from: number[] = [];
  const end: number[] = [];
  /** The set of each gap; set 0 is outside. */
  const sets: number[] = [0];
  const rootOf = (set: number): number => {
    let root = set;
    for (let next = sets[root] as number; next !== root; next = sets[root] as number) {
      sets[root] = sets[next] as number;
      root = next;
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    const [one, other] = [rootOf(a), rootOf(b)];
    sets[Math.max(one, other)] = Math.min(one, other);
  };
  const add = (first: number, last: number, isAtEdge: boolean): void => {
    from.push(first);
    end.push(last);
    sets.push(sets.length);
    if (isAtEdge) join(0, sets.length - 1);
  };
  let above = 0;
  for (let y = 0, at = 0; y < height; y++) {
    const [rowFrom, rowEnd, isEdgeRow] = [y * width, (y + 1) * width, y === 0 || y === height - 1];
    const first = from.length;
    let next = rowFrom;
    for (; at < runs.length && (runs[at] as number) < rowEnd; at += 2) {
      const stop = runs[at] as number;
      if (stop > next) add(next, stop, isEdgeRow || next === rowFrom);
      next = runs[at + 1] as number;
    }
    if (next < rowEnd) add(next, rowEnd, true);
    for (let gap = first; gap < from.length && above < first;) {
      const [upFrom, upEnd] = [(from[above] as number) + width, (end[above] as number) + width];
      if (upFrom < (end[gap] as number) && (from[gap] as number) < upEnd) join(above + 1, gap + 1);
      if (upEnd < (end[gap] as number)) above++;
      else gap++;
    }
    above = first;
  }
  return { from, end, isOutside: (gap) => rootOf(gap + 1) === 0 };
}

/** Calls back for each horizontal run of one ink. */
function eachInkRun(
  labels: Int8Array,
  { width, height }: Box,
  tell: (from: number, end: number, ink: number) => void,
): void {
  for (let y = 0; y < height; y++) {
    const rowEnd = (y + 1) * width;
    for (let pixel = y * width; pixel < rowEnd;) {
      const ink = labels[pixel] as number;
      if (ink < 0) {
        pixel++;
        continue;
      }
      let end = pixel + 1;
      while (end < rowEnd && labels[end] === ink) end++;
      tell(pixel, end, ink);
      pixel = end;
    }
  }
}

/** The width of horizontal runs that covers most area. */
function commonWidth(labels: Int8Array, box: Box): number {
  const widest = Math.floor(box.width / 10);
  const area = new Float64Array(widest + 2);
  eachInkRun(labels, box, (from, end) => {
    const length = end - from;
    if (length >= 2 && length <= widest) area[length] = (area[length] as number) + length;
  });
  let best = 0;
  const near = (length: number): number =>
    (area[length - 1] ?? 0) * 0.5 + (area[length] as number) + (area[length + 1] ?? 0) * 0.5;
  for (let length = 2; length <= widest; length++) if (best === 0 || near(length) > near(best)) best = length;
  return best;
}

const isBodyWide = (length: number, bodyWidth: number): boolean =>
  length >= Math.max(2, bodyWidth * 0.6) && length <= bodyWidth * 1.5 + 1;

/** One ink, or two, that most runs as wide as a body have. */
function candleInks(labels: Int8Array, box: Box, inkCount: number, bodyWidth: number): number[] {
  const area = new Float64Array(inkCount);
  eachInkRun(labels, box, (from, end, ink) => {
    if (isBodyWide(end - from, bodyWidth)) area[ink] = (area[ink] as number) + end - from;
  });
  const order = [...area.keys()].sort((a, b) => (area[b] as number) - (area[a] as number));
  const [first, second] = order;
  if (first === undefined || (area[first] as number) < box.width * box.height * 0.0004) return [];
  return second !== undefined && (area[second] as number) > (area[first] as number) * 0.06 ? [first, second] : [first];
}

interface Ground {
  labels: Int8Array;
  holes: Uint8Array;
  box: Box;
  pair: readonly number[];
  bodyWidth: number;
}

/** Rows of a curve over a body, or of a blur, that do not end it. */
const bodyGapMax = 5;

/** Stacks runs as wide as a body to bodies. */
function bodiesOf({ labels, holes, box, pair, bodyWidth }: Ground): Body[] {
  const open: (Body & { last: number; from: number; end: number; hollowPixels: number })[] = [];
  const done: Body[] = [];
  let row = -1;
  const close = (y: number): void => {
    for (let at = open.length - 1; at >= 0; at--) {
      const body = open[at] as (typeof open)[number];
      if (y - body.last <= bodyGapMax) continue;
      open.splice(at, 1);
      done.push(body);
    }
  };
  eachInkRun(labels, box, (from, end, ink) => {
    if (!pair.includes(ink) || !isBodyWide(end - from, bodyWidth)) return;
    const y = Math.floor(from / box.width);
    if (y !== row) {
      row = y;
      close(y);
    }
    const x = (from + end) / 2 - y * box.width;
    let hollowPixels = 0;
    for (let pixel = from; pixel < end; pixel++) if (holes[pixel] !== 0) hollowPixels++;
    const found = open.find((body) => body.ink === ink && Math.abs(body.x - x) <= Math.max(1, bodyWidth * 0.4));
    if (found === undefined) {
      const body = { x, top: y, bottom: y + 1, ink, pixels: end - from, isHollow: false };
      open.push({ ...body, last: y, from, end, hollowPixels });
      return;
    }
    // The widest row tells the centre best.
    if (end - from > found.end - found.from) {
      found.x = x;
      found.from = from;
      found.end = end;
    }
    found.last = y;
    found.bottom = y + 1;
    found.pixels += end - from;
    found.hollowPixels += hollowPixels;
    found.isHollow = found.hollowPixels > found.pixels * 0.25;
  });
  close(box.height + bodyGapMax + 1);
  return done;
}

/** Bodies that end on the row where most end are volume bars. */
function withoutBars(bodies: readonly Body[], { height }: Box): Body[] {
  const ends = new Uint32Array(height + 1);
  for (const { bottom } of bodies) ends[bottom] = (ends[bottom] as number) + 1;
  const near = (row: number): number => {
    let count = 0;
    for (let at = row - 2; at <= row + 2; at++) count += ends[at] ?? 0;
    return count;
  };
  let base = 0;
  for (let row = Math.floor(height * 0.5); row <= height; row++) if (near(row) > near(base)) base = row;
  const isCommon = base > 0 && near(base) > bodies.length * 0.25;
  return bodies.filter(({ bottom }) => !isCommon || Math.abs(bottom - base) > 2);
}

/** Parts of one body that a curve has cut: between them there is no background. */
function mended(bodies: readonly Body[], foreground: Uint8Array, { width }: Box, bodyWidth: number): Body[] {
  const whole: Body[] = [];
  for (const body of [...bodies].sort((a, b) => a.top - b.top)) {
    const above = whole.find(
      (other) =>
        other.ink === body.ink &&
        other.bottom <= body.top &&
        Math.abs(other.x - body.x) <= Math.max(1, bodyWidth * 0.4) &&
        isCovered(foreground, width, Math.floor(body.x), other.bottom, body.top),
    );
    if (above === undefined) {
      whole.push({ ...body });
      continue;
    }
    if (body.pixels > above.pixels) above.x = body.x;
    above.bottom = body.bottom;
    above.pixels += body.pixels;
  }
  return whole;
}

/** At least four fifths of the rows between stand out from the background, over at most 40 rows. */
function isCovered(foreground: Uint8Array, width: number, x: number, from: number, end: number): boolean {
  if (end - from > 40) return false;
  let count = 0;
  for (let y = from; y < end; y++) count += foreground[y * width + x] as number;
  return count >= (end - from) * 0.8;
}

/**
 * One body a column: the path from left to right with the smallest jumps, because a market that never closes opens where it closed.
 * What else stands in a column is a label, or volume that was not recognised.
 */
function inOneRow(bodies: Body[], bodyWidth: number): Body[] {
  const columns: Body[][] = [];
  for (const body of bodies.sort((a, b) => a.x - b.x)) {
    const column = columns.at(-1);
    const before = column?.[0];
    if (column === undefined || before === undefined || body.x - before.x >= Math.max(1.5, bodyWidth * 0.5))
      columns.push([body]);
    else column.push(body);
  }
  const paths = columns.map((column) => column.map(() => ({ cost: 0, from: 0 })));
  for (let at = 0; at < columns.length; at++) {
    const [column, before] = [columns[at] as Body[], columns[at - 1] ?? []];
    for (const [place, body] of column.entries()) {
      const path = (paths[at] as { cost: number; from: number }[])[place] as { cost: number; from: number };
      path.cost = before.length === 0 ? 0 : Infinity;
      for (const [from, left] of before.entries()) {
        const jump = Math.max(0, body.top - left.bottom, left.top - body.bottom);
        const cost = ((paths[at - 1] as (typeof paths)[number])[from] as { cost: number }).cost + jump;
        if (cost < path.cost) {
          path.cost = cost;
          path.from = from;
        }
      }
      // Of two that fit, the larger one.
      path.cost -= Math.min(50, body.bottom - body.top) * 0.02;
    }
  }
  const last = paths.at(-1) ?? [];
  let place = last.reduce((best, { cost }, at) => (cost < (last[best] as { cost: number }).cost ? at : best), 0);
  const kept: Body[] = [];
  for (let at = columns.length - 1; at >= 0; at--) {
    kept.push((columns[at] as Body[])[place] as Body);
    place = ((paths[at] as (typeof paths)[number])[place] as { from: number }).from;
  }
  return kept.reverse();
}

interface Lattice {
  step: number;
  placed: { body: Body; index: number }[];
}

/** Trains of bodies at about equal steps; eight missing in a row end one. */
function trainsOf(bodies: readonly Body[], step: number): Lattice['placed'][] {
  const trains: Lattice['placed'][] = [];
  for (const body of bodies) {
    const train = trains.at(-1);
    const before = train?.at(-1);
    const far = before === undefined ? Infinity : body.x - before.body.x;
    const steps = Math.round(far / step);
    if (before === undefined || train === undefined || steps > 8) {
      trains.push([{ body, index: 0 }]);
      continue;
    }
    const isNear = Math.abs(far - steps * step) < step * 0.35 * Math.max(1, steps / 2);
    if (isNear && steps >= 1) train.push({ body, index: before.index + steps });
  }
  return trains;
}

/** Without a few bodies apart from the others at the right: characters of the price axis can stand at the distance of candles. */
function withoutIslands(train: Lattice['placed']): Lattice['placed'] {
  const kept = [...train];
  for (let at = kept.length - 1; at > 0 && kept.length - at <= 8; at--) {
    const missing = (kept[at]?.index ?? 0) - (kept[at - 1]?.index ?? 0) - 1;
    if (missing >= 2 || (missing === 1 && kept.length - at <= 3)) kept.length = at;
  }
  return kept;
}

/** The longest train, places left out where a body is missing; null when it is short or irregular. */
function latticeOf(bodies: readonly Body[]): Lattice | null {
  const gaps = bodies
    .slice(1)
    .map((body, at) => body.x - (bodies[at] as Body).x)
    .sort((a, b) => a - b);
  const rough = gaps[Math.floor(gaps.length * 0.4)] ?? 0;
  if (rough < 2.5) return null;
  const placed = withoutIslands(
    trainsOf(bodies, rough).reduce((longest, train) => (train.length > longest.length ? train : longest), []),
  );
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined || placed.length < candlesMin) return null;
  const step = (last.body.x - first.body.x) / last.index;
  const slack = Math.max(1.5, step * 0.3);
  const fits = placed.filter(({ body, index }) => Math.abs(body.x - first.body.x - index * step) < slack);
  const isRegular = fits.length >= placed.length * 0.85 && fits.length >= (last.index + 1) * 0.7;
  return isRegular && fits.length >= candlesMin ? { step, placed: fits } : null;
}

/** Widest step between candles, in widths of a body. */
const stepWidthsMax = 5;
/** Mean vector of the phases of bodies, 0 to 1: bodies at random places have about 0.1. */
const phaseMin = 0.5;

/**
 * The lattice of many bodies of which some are none: the step at which most centres have one phase. A half and a third of it fit as well, so
 * the widest of those that fit is taken.
 */
function latticeByPhase(bodies: readonly Body[], bodyWidth: number, width: number): Lattice | null {
  const least = Math.max(2.5, bodyWidth * 1.02);
  const found: { step: number; score: number; phase: number }[] = [];
  for (let waves = width / (bodyWidth * stepWidthsMax); waves <= width / least; waves += 0.2) {
    const turn = (2 * Math.PI * waves) / width;
    let [real, imaginary] = [0, 0];
    for (const { x } of bodies) {
      real += Math.cos(x * turn);
      imaginary += Math.sin(x * turn);
    }
    const score = Math.hypot(real, imaginary) / bodies.length;
    found.push({ step: width / waves, score, phase: Math.atan2(imaginary, real) / (2 * Math.PI) });
  }
  const most = found.reduce((high, { score }) => Math.max(high, score), 0);
  const first = found.findIndex(({ score }) => score >= most * 0.9);
  const near = found.slice(first, first + 5);
  const best = near.reduce(
    (high, each) => (each.score > high.score ? each : high),
    near[0] ?? { score: 0, step: 1, phase: 0 },
  );
  if (best.score < phaseMin) return null;
  return placedOn(bodies, best.step, best.phase * best.step);
}

/** The longest run of columns with a body, one each, with at most eight missing in a row. */
function placedOn(bodies: readonly Body[], step: number, offset: number): Lattice | null {
  const columns = new Map<number, Body>();
  for (const body of bodies) {
    const index = Math.round((body.x - offset) / step);
    const known = columns.get(index);
    const isNear = Math.abs(body.x - offset - index * step) < step * 0.25;
    if (isNear && (known === undefined || body.pixels > known.pixels)) columns.set(index, body);
  }
  const runs: [number, Body][][] = [];
  for (const entry of [...columns].sort((a, b) => a[0] - b[0])) {
    const run = runs.at(-1);
    if (run === undefined || entry[0] - (run.at(-1)?.[0] ?? 0) > 8) runs.push([entry]);
    else run.push(entry);
  }
  const run = runs.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || run.length < candlesMin) return null;
  const isFull = run.length >= (last[0] - first[0] + 1) * 0.6;
  return isFull ? { step, placed: run.map(([index, body]) => ({ body, index: index - first[0] })) } : null;
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

/** One ink has both hollow and filled bodies: then hollow tells the direction, not the ink. */
function mixesHollow(bodies: readonly Body[]): boolean {
  return [...new Set(bodies.map(({ ink }) => ink))].some((ink) => {
    const tall = bodies.filter((body) => body.ink === ink && body.bottom - body.top > 4);
    const hollow = tall.filter(({ isHollow }) => isHollow).length;
    return tall.length >= 8 && hollow > tall.length * 0.15 && hollow < tall.length * 0.85;
  });
}

const jumpsOf = (candles: readonly PixelCandle[]): number[] =>
  candles.slice(1).flatMap((candle, at) => {
    const before = candles[at] as PixelCandle;
    return candle.index === before.index + 1 ? [Math.abs(candle.open - before.close)] : [];
  });

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Bars that begin anywhere are no candles: a market opens near its last close, and its bodies stand at many heights. */
function isContinuous(candles: readonly PixelCandle[]): boolean {
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
  return medianOf(jumpsOf(candles)) <= Math.max(2, medianOf(ranges) * 0.5) && least > candles.length * 0.25;
}
