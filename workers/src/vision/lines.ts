import type { PixelCandle } from './candles.ts';
import { stripLines } from './labels.ts';
import { coverAt, distance2, type Ink, mergeInks, pixelsOf, type Raster, type Rgb } from './raster.ts';

/** Long because tracing, joining and judging of curves work on the same tracks, and none has another caller. */

/** A curve from left to right, one place a column. */
export interface TracedLine {
  colour: Rgb;
  /** First column. */
  left: number;
  /** Upper and lower edge in each column from `left`, NaN where another shape hides it. */
  tops: Float64Array;
  bottoms: Float64Array;
  /** Thickness of the pen. */
  pen: number;
  pixels: number;
  /** Share of the columns in which the curve does not touch its place in the column before. */
  broken: number;
  /** Followed through pixels of any colour. */
  isMixed: boolean;
}

/** Columns over which a curve may be hidden by another shape: 14, in wide pictures as a share of the width. */
const hiddenMaxOf = (width: number): number => Math.max(14, Math.round(width * 0.011));
/** Pieces of a curve that are this near are one, as shares of width and height. */
const joinWidth = 0.05;
const joinHeight = 0.04;
/** Columns that both have, as a share of the width. */
const overlapMax = 0.03;
/** Shorter ones are text and labels. */
const pieceMin = 0.09;
const penMax = 9;

/** Colours of everything that stands out, commonest first: curves have few vertical strokes, so every pixel votes. */
function colours({ rgb }: Raster, pixels: Int32Array, votesMin: number): Ink[] {
  const counts = new Uint32Array(4096);
  for (const pixel of pixels) {
    const at = pixel * 3;
    const key =
      (((rgb[at] as number) >> 4) << 8) | (((rgb[at + 1] as number) >> 4) << 4) | ((rgb[at + 2] as number) >> 4);
    counts[key] = (counts[key] as number) + 1;
  }
  const all: Ink[] = [];
  counts.forEach((votes, key) => {
    if (votes > 0)
      all.push({ rgb: [((key >> 8) << 4) + 8, (((key >> 4) & 15) << 4) + 8, ((key & 15) << 4) + 8], votes });
  });
  return mergeInks(all).filter(({ votes }) => votes >= votesMin);
}

/** Less of a colour than this in a pixel is its blurred edge. */
const coverMin = 0.45;

/** 0 where a pixel is of the colour, also where it is blended with the background, -1 elsewhere; rows of dashes are taken away. */
function maskOf({ rgb, width, height }: Raster, background: Rgb, pixels: Int32Array, colour: Rgb): Int8Array {
  const mask = new Int8Array(width * height).fill(-1);
  for (const pixel of pixels) {
    const at = pixel * 3;
    if (distance2(rgb, at, colour) < 60 * 60 || coverAt(rgb, at, background, colour) > coverMin) mask[pixel] = 0;
  }
  stripLines(mask, { width, height });
  return mask;
}

/** Everything that stands out: compression moves the colours of a thin line, not its place. */
function anyColour({ width, height }: Raster, pixels: Int32Array): Int8Array {
  const mask = new Int8Array(width * height).fill(-1);
  for (const pixel of pixels) mask[pixel] = 0;
  stripLines(mask, { width, height });
  return mask;
}

interface Track {
  left: number;
  tops: number[];
  bottoms: number[];
  missed: number;
  top: number;
  bottom: number;
  breaks: number;
}

/** Curves of every colour, and those of any colour, that run over at least a share of the width. */
export function traceLines(raster: Raster, background: Rgb, foreground: Uint8Array, shareMin: number): TracedLine[] {
  const pixels = pixelsOf(foreground);
  const inks = colours(raster, pixels, raster.width * shareMin);
  const [commonest] = inks;
  if (commonest === undefined) return [];
  return [
    ...inks.flatMap(({ rgb }) =>
      tracksOf(runsOf(maskOf(raster, background, pixels, rgb), pixels, raster), raster, background, rgb, shareMin),
    ),
    ...tracksOf(runsOf(anyColour(raster, pixels), pixels, raster), raster, background, commonest.rgb, shareMin, true),
  ];
}

export interface Curve {
  colour: Rgb;
  /** Row of its middle in a column, null where it is hidden. */
  rowAt: (column: number) => number | null;
}

/**
 * Curves in each colour except those of `without` and similar ones, whose columns lie within the area. Longest first, without duplicates.
 */
export function curvesOf(
  raster: Raster,
  background: Rgb,
  foreground: Uint8Array,
  { shareMin, without, area }: { shareMin: number; without: readonly Rgb[]; area: { left: number; right: number } },
): Curve[] {
  const [from, end] = [Math.max(0, Math.floor(area.left)), Math.min(raster.width, Math.ceil(area.right))];
  const cut = cutColumns(raster, foreground, from, end);
  const share = (shareMin * raster.width) / cut.raster.width;
  const pixels = pixelsOf(cut.foreground);
  const inks = colours(cut.raster, pixels, cut.raster.width * share).filter(
    ({ rgb }) => !without.some((colour) => isShadeOf(rgb, background, colour)),
  );
  const lines = inks.flatMap(({ rgb }) =>
    tracksOf(
      runsOf(maskOf(cut.raster, background, pixels, rgb), pixels, cut.raster),
      cut.raster,
      background,
      rgb,
      share,
    ),
  );
  const whole = lines.filter(({ broken }) => broken <= curveBrokenMax).sort((a, b) => b.tops.length - a.tops.length);
  return distinct(whole).map((line) => ({
    colour: line.colour,
    rowAt: (column) => {
      const row = middleAt(line, column - from - line.left);
      return Number.isNaN(row) ? null : row;
    },
  }));
}

/** Curves over candles are cut more often than a line of prices. */
const curveBrokenMax = 0.15;
/** Farther from the line between background and a colour than this, another colour is not a shade of it. */
const shadeMax = 40;

/** True for a colour between background and another, and near the other: volume bars and blurred edges. */
function isShadeOf(rgb: Rgb, background: Rgb, colour: Rgb): boolean {
  if (distance2(rgb, 0, colour) < 60 * 60) return true;
  let [dot, length2, own2] = [0, 0, 0];
  for (const part of [0, 1, 2] as const) {
    const [along, own] = [colour[part] - background[part], rgb[part] - background[part]];
    dot += along * own;
    length2 += along * along;
    own2 += own * own;
  }
  const share = dot / length2;
  return share > 0 && share < 1.05 && own2 - share * share * length2 < shadeMax * shadeMax;
}

function cutColumns(
  { width, height, rgb }: Raster,
  foreground: Uint8Array,
  from: number,
  end: number,
): { raster: Raster; foreground: Uint8Array } {
  const w = end - from;
  const cut = {
    raster: { width: w, height, rgb: new Uint8Array(w * height * 3) },
    foreground: new Uint8Array(w * height),
  };
  for (let y = 0; y < height; y++) {
    cut.raster.rgb.set(rgb.subarray((y * width + from) * 3, (y * width + end) * 3), y * w * 3);
    cut.foreground.set(foreground.subarray(y * width + from, y * width + end), y * w);
  }
  return cut;
}

function tracksOf(
  columns: readonly Run[][],
  { width, height, rgb }: Raster,
  background: Rgb,
  colour: Rgb,
  shareMin: number,
  isMixed = false,
): TracedLine[] {
  const open: Track[] = [];
  const done: Track[] = [];
  const hiddenMax = hiddenMaxOf(width);
  columns.forEach((runs, x) => done.push(...follow(open, runs, x, hiddenMax)));
  const full = Math.sqrt(distance2(colour, 0, background));
  const cover = (x: number, y: number): number =>
    Math.min(1, Math.sqrt(distance2(rgb, (y * width + x) * 3, background)) / full);
  return joined([...done, ...open], { width, height })
    .map((track) => (isMixed ? track : withoutText(withoutLabel(track), width)))
    .flatMap((track) => {
      if (track.tops.length < width * shareMin) return [];
      const line = lineOf(track, colour, cover, height);
      const isLine = line !== null && line.tops.length - countHidden(line) > width * shareMin && isCurved(line, height);
      return isLine ? [{ ...line, isMixed }] : [];
    });
}

/** Joins pieces that go on behind a gap: dashes of the last price and compression cut thin curves. */
function joined(tracks: readonly Track[], { width, height }: { width: number; height: number }): Track[] {
  const pieces = tracks
    .map(trimmed)
    .filter(({ tops, breaks }) => tops.length >= width * pieceMin && breaks < tops.length * brokenMax);
  pieces.sort((a, b) => a.left - b.left);
  const whole: Track[] = [];
  for (const piece of pieces) {
    const open = whole.filter((track) => {
      const gap = piece.left - track.left - track.tops.length;
      const last = Math.min(piece.left - track.left, track.tops.length) - 1;
      const off = Math.max(
        0,
        (piece.tops[0] as number) - (track.bottoms[last] ?? NaN),
        (track.tops[last] ?? NaN) - (piece.bottoms[0] as number),
      );
      return gap >= -width * overlapMax && gap <= width * joinWidth && off <= height * joinHeight;
    });
    const before = open.reduce<Track | null>(
      (near, track) => (near === null || track.tops.length > near.tops.length ? track : near),
      null,
    );
    if (before === null) {
      whole.push(piece);
      continue;
    }
    // Where both go on, the older one follows the dashes.
    before.tops.length = Math.min(before.tops.length, piece.left - before.left);
    before.bottoms.length = before.tops.length;
    const gap = piece.left - before.left - before.tops.length;
    const hidden = Array.from({ length: gap }, () => NaN);
    before.tops.push(...hidden, ...piece.tops);
    before.bottoms.push(...hidden, ...piece.bottoms);
    before.breaks += piece.breaks + 1;
    before.top = piece.top;
    before.bottom = piece.bottom;
  }
  return whole;
}

/** Without the columns at its end in which it was not seen. */
function trimmed(track: Track): Track {
  let length = track.tops.length;
  while (length > 0 && Number.isNaN(track.tops[length - 1])) length--;
  const lost = track.tops.length - length;
  return {
    ...track,
    tops: track.tops.slice(0, length),
    bottoms: track.bottoms.slice(0, length),
    breaks: Math.max(0, track.breaks - lost),
  };
}

/** Columns of a label that a line runs into, at least. */
const labelMin = 12;

/** Without the label of the last price: from some column to its end a line into a label is thicker than a pen, and straight. */
function withoutLabel(track: Track): Track {
  const { tops, bottoms } = track;
  const thickness = (at: number): number => (bottoms[at] as number) - (tops[at] as number);
  let from = tops.length;
  // Characters cut the label into rows, so a thin column does not end it.
  for (let at = tops.length - 1, thin = 0; at >= 0 && thin <= labelMin; at--) {
    if (thickness(at) > penMax) [from, thin] = [at, 0];
    else thin++;
  }
  if (tops.length - from < labelMin) return track;
  return { ...track, tops: tops.slice(0, from), bottoms: bottoms.slice(0, from) };
}

/** A short piece before a gap is text beside the line, as shares of the width. */
const textWidth = 0.06;
const textGap = 0.004;

/** Without text of the axis in front of the line. */
function withoutText(track: Track, width: number): Track {
  const { left, tops, bottoms } = track;
  let [from, gap] = [0, 0];
  for (let at = 0; at < Math.min(tops.length, width * textWidth); at++) {
    gap = Number.isNaN(tops[at]) ? gap + 1 : 0;
    if (gap >= width * textGap) from = at + 1;
  }
  while (from > 0 && Number.isNaN(tops[from])) from++;
  return { ...track, left: left + from, tops: tops.slice(from), bottoms: bottoms.slice(from) };
}

const countHidden = ({ tops }: TracedLine): number =>
  tops.reduce((count, top) => count + (Number.isNaN(top) ? 1 : 0), 0);

interface Run {
  top: number;
  bottom: number;
}

/** Vertical runs of each column, from the top. `pixels`: where the mask may be set, in the order of the rows. */
function runsOf(mask: Int8Array, pixels: Int32Array, { width, height }: Raster): Run[][] {
  const columns = Array.from({ length: width }, (): Run[] => []);
  for (const pixel of pixels) {
    if ((mask[pixel] as number) < 0) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const runs = columns[x] as Run[];
    const last = runs.at(-1);
    if (last?.bottom === y) last.bottom = y + 1;
    else runs.push({ top: y, bottom: y + 1 });
  }
  return columns.map((runs) => runs.filter(({ top, bottom }) => bottom - top < height * 0.5));
}

/** Each track continues with the nearest run; the remaining runs start tracks. Returns the tracks that ended. */
function follow(tracks: Track[], runs: Run[], x: number, hiddenMax: number): Track[] {
  const free = new Set(runs);
  const ended: Track[] = [];
  // The longest first: a curve keeps its place where text touches it.
  tracks.sort((a, b) => b.tops.length - a.tops.length);
  for (let at = 0; at < tracks.length; at++) {
    const track = tracks[at] as Track;
    let best: Run | null = null;
    let least = 2 + track.missed;
    for (const run of free) {
      const gap = Math.max(0, run.top - track.bottom, track.top - run.bottom);
      if (gap >= least) continue;
      least = gap;
      best = run;
    }
    if (best === null || least > 0) track.breaks++;
    if (best === null) {
      track.missed++;
      track.tops.push(NaN);
      track.bottoms.push(NaN);
      if (track.missed <= hiddenMax) continue;
      tracks.splice(at--, 1);
      ended.push(track);
      continue;
    }
    free.delete(best);
    track.missed = 0;
    track.tops.push(best.top);
    track.bottoms.push(best.bottom);
    track.top = best.top;
    track.bottom = best.bottom;
  }
  for (const { top, bottom } of free)
    tracks.push({ left: x, tops: [top], bottoms: [bottom], missed: 0, breaks: 0, top, bottom });
  return ended;
}

/** The track without its missing end, edges to a fraction of a row by how much of each edge pixel is covered. */
function lineOf(
  { left, tops, bottoms, breaks }: Track,
  colour: Rgb,
  cover: (x: number, y: number) => number,
  height: number,
): TracedLine | null {
  let length = tops.length;
  while (length > 0 && Number.isNaN(tops[length - 1])) length--;
  const thick = tops
    .slice(0, length)
    .flatMap((top, at) => (Number.isNaN(top) ? [] : [(bottoms[at] as number) - top]))
    .sort((a, b) => a - b);
  const line = {
    colour,
    left,
    tops: new Float64Array(length),
    bottoms: new Float64Array(length),
    pen: 0,
    pixels: 0,
    broken: breaks / tops.length,
    isMixed: false,
  };
  for (let at = 0; at < length; at++) {
    const [top, bottom] = [tops[at] as number, bottoms[at] as number];
    const coverOf = (y: number): number => (y < 0 || y >= height ? 0 : cover(left + at, y));
    line.tops[at] = top + 1 - coverOf(top) - (coverOf(top - 1) < 0.5 ? coverOf(top - 1) : 0);
    line.bottoms[at] = bottom - 1 + coverOf(bottom - 1) + (coverOf(bottom) < 0.5 ? coverOf(bottom) : 0);
    if (!Number.isNaN(top)) line.pixels += bottom - top;
  }
  if ((thick[Math.floor(thick.length / 4)] ?? Infinity) > penMax) return null;
  const pens = [...line.tops]
    .flatMap((top, at) => (Number.isNaN(top) ? [] : [(line.bottoms[at] as number) - top]))
    .sort((a, b) => a - b);
  line.pen = pens[Math.floor(pens.length / 8)] ?? 1;
  return line;
}

const middleAt = ({ tops, bottoms }: TracedLine, at: number): number =>
  ((tops[at] as number) + (bottoms[at] as number)) / 2;

/** Straight lines are grids, levels and frames. */
function isCurved(line: TracedLine, height: number): boolean {
  const last = line.tops.length - 1;
  const [from, to] = [middleAt(line, 0), middleAt(line, last)];
  let most = 0;
  for (let at = 0; at <= last; at++) {
    const off = Math.abs(middleAt(line, at) - from - ((to - from) * at) / last);
    if (off > most) most = off;
  }
  return most > height * 0.02;
}

/** Turns from up to down and back of at least `least` rows. */
function turnsOf(line: TracedLine, least: number): number {
  let [turns, way, extreme] = [0, 0, middleAt(line, 0)];
  for (let at = 1; at < line.tops.length; at++) {
    const row = middleAt(line, at);
    if (Number.isNaN(row)) continue;
    if (way === 0 ? Math.abs(row - extreme) >= least : (row - extreme) * way <= -least) {
      way = way === 0 ? Math.sign(row - extreme) : -way;
      extreme = row;
      turns++;
    } else if ((row - extreme) * way > 0) extreme = row;
  }
  return turns;
}

export interface LineReading {
  candles: PixelCandle[];
  step: number;
  colour: Rgb;
  /** Followed through pixels of any colour: where candles are found, too, the line follows the candles. */
  isMixed: boolean;
}

/** Smoother curves are averages, borders or functions: prices turn often. */
const turnsMin = 12;
/** A price line is most of the ink in its columns; averages over candles are a small part. */
const partMin = 0.4;
/** A line of prices is continuous; text and textures are separate pieces. */
const brokenMax = 0.05;
/** Curves of similar length beside it: with more of them the picture is a map or a comparison. */
const othersMax = 2;
/** A chart leaves room at one side for its prices; borders and roads run from edge to edge. */
const axisMin = 0.025;

/** The curve over at least half of the width that turns often and has most of the ink of its columns. */
export function readLine(raster: Raster, background: Rgb, foreground: Uint8Array): LineReading | null {
  const lines = traceLines(raster, background, foreground, 0.3).sort((a, b) => b.pixels - a.pixels);
  const result = priceLineOf(lines, raster, background);
  if (result === undefined || result.pixels < areaOf(result, raster, background, foreground) * partMin) return null;
  const others = distinct(lines.filter((line) => line.pixels > result.pixels * 0.4 && !isSame(line, result)));
  if (others.length > othersMax) return null;
  const places = verticesOf(result);
  const candles = places.flatMap((at, index): PixelCandle[] => {
    const row = rowAt(result, at);
    return row === null ? [] : [{ index, x: result.left + at + 0.5, open: row, high: row, low: row, close: row }];
  });
  const step = ((places.at(-1) ?? 0) - (places[0] ?? 0)) / (places.length - 1);
  return { candles, step, colour: result.colour, isMixed: result.isMixed };
}

/** Share of the length and of the contrast that a line must have beside another to be more than its shade or a stretch of it. */
const likeMin = 0.85;

/**
 * The line of prices. A blurred edge and the paler area below a line are found as curves, too: a line in a distinct colour goes before one
 * of any colour, and a strong colour before its shades.
 */
function priceLineOf(lines: readonly TracedLine[], raster: Raster, background: Rgb): TracedLine | undefined {
  const fitting = lines.filter((line) => isOfPrices(line, raster));
  const contrast = ({ colour }: TracedLine): number => Math.sqrt(distance2(colour, 0, background));
  const isShade = (line: TracedLine): boolean =>
    fitting.some(
      (other) =>
        !other.isMixed &&
        other.tops.length >= line.tops.length * likeMin &&
        (line.isMixed || contrast(line) < contrast(other) * likeMin) &&
        isShadeOf(line.colour, background, other.colour),
    );
  const match = fitting.find((line) => !isShade(line));
  // Of any colour only the one with the most ink: others are parts of a map.
  return match?.isMixed === true && match !== fitting[0] ? undefined : match;
}

function isOfPrices(line: TracedLine, { width, height }: Raster): boolean {
  const { tops, broken } = line;
  return (
    tops.length - countHidden(line) > width * 0.5 &&
    broken <= brokenMax &&
    hasRoom(line, width) &&
    turnsOf(line, Math.max(2, height * 0.004)) >= turnsMin
  );
}

/** An axis at the left, or prices written over the lines, leave a frame only: then the curve must be continuous, in its colour. */
const frameMin = 0.006;
const frameBrokenMax = 0.005;

function hasRoom({ left, tops, broken, isMixed }: TracedLine, width: number): boolean {
  const end = left + tops.length;
  if (end < width * (1 - axisMin)) return true;
  if (isMixed || broken > frameBrokenMax) return false;
  return left > width * axisMin || (left > width * frameMin && end < width * (1 - frameMin));
}

/** The same curve, found in its colour and in all colours. */
function isSame(a: TracedLine, b: TracedLine): boolean {
  let [far, count] = [0, 0];
  for (let at = 0; at < a.tops.length; at++) {
    const off = Math.abs(middleAt(a, at) - middleAt(b, at + a.left - b.left));
    if (Number.isNaN(off)) continue;
    count++;
    if (off > 4) far++;
  }
  return count > 0 && far < count * 0.5;
}

const distinct = (lines: readonly TracedLine[]): TracedLine[] =>
  lines.filter((line, at) => !lines.slice(0, at).some((other) => isSame(line, other)));

/** A pixel with less of the colour is of the area below a line. */
const areaCoverMax = 0.6;

/** Contrast of a grid, as a share of that of the line. */
const gridShare = 0.4;

/** Pixels that stand out in the box around a line, without the grid and without the paler area below it. */
function areaOf(
  { left, tops, bottoms, colour, isMixed }: TracedLine,
  { width, rgb }: Raster,
  background: Rgb,
  foreground: Uint8Array,
): number {
  let [top, bottom] = [Infinity, 0];
  for (let at = 0; at < tops.length; at++) {
    if (Number.isNaN(tops[at])) continue;
    top = Math.min(top, tops[at] as number);
    bottom = Math.max(bottom, bottoms[at] as number);
  }
  const gridMax2 = distance2(colour, 0, background) * gridShare ** 2;
  let count = 0;
  for (let y = Math.floor(top); y < bottom; y++)
    for (let x = left; x < left + tops.length; x++) {
      if (foreground[y * width + x] !== 1) continue;
      const at = (y * width + x) * 3;
      // A line of any colour has no grid and no separate area: everything counts.
      if (isMixed) {
        count++;
        continue;
      }
      if (distance2(rgb, at, background) < gridMax2) continue;
      const cover = coverAt(rgb, at, background, colour);
      const isBelow = y > (bottoms[x - left] as number) && cover > 0 && cover < areaCoverMax;
      if (!isBelow) count++;
    }
  return count;
}

/** Narrower candles cannot be distinguished in a line. */
const stepMin = 3;
const unknownCount = 200;

/**
 * Columns of the closes: a line bends at them only, and starts and ends at one. Of all counts of closes the one wins whose columns hold
 * most of the bending above the average.
 */
function verticesOf(line: TracedLine): number[] {
  const length = line.tops.length;
  const bends = new Float64Array(length);
  let sum = 0;
  for (let at = 2; at < length - 2; at++) {
    const bend = Math.abs(middleAt(line, at - 2) - 2 * middleAt(line, at) + middleAt(line, at + 2));
    bends[at] = Number.isNaN(bend) ? 0 : Math.min(bend, 6);
    sum += bends[at] as number;
  }
  const mean = sum / length;
  const placesOf = ({ count, from, end }: Places): number[] =>
    Array.from({ length: count }, (_, at) => from + (at * (length - 1 - from - end)) / (count - 1));
  let best: Places = { count: Math.min(unknownCount, Math.floor(length / 2)), from: 0, end: 0 };
  let most = 0;
  for (let count = 15; count <= length / stepMin; count++)
    for (let from = 0; from <= capMax; from++)
      for (let end = 0; end <= capMax; end++) {
        const step = (length - 1 - from - end) / (count - 1);
        let held = 0;
        for (let at = 0; at < count; at++) held += (bends[Math.round(from + at * step)] as number) - mean;
        // Chance grows with the root of the places.
        const score = held / Math.sqrt(count);
        if (score <= most) continue;
        most = score;
        best = { count, from, end };
      }
  return placesOf(best);
}

/** Columns by which a pen can reach over the first and the last close. */
const capMax = 3;

/** So many places at equal steps, without the caps of the pen at both ends. */
interface Places {
  count: number;
  from: number;
  end: number;
}

/** Row of the line at a place: at a turn the outer edge less half the pen, elsewhere the middle. */
function rowAt(line: TracedLine, place: number): number | null {
  const at = Math.round(place);
  const middle = middleAt(line, at);
  if (Number.isNaN(middle)) return null;
  const [before, after] = [middleAt(line, Math.max(0, at - 3)), middleAt(line, Math.min(line.tops.length - 1, at + 3))];
  if (before > middle + 1 && after > middle + 1) return (line.tops[at] as number) + line.pen / 2;
  if (before < middle - 1 && after < middle - 1) return (line.bottoms[at] as number) - line.pen / 2;
  return middle;
}
