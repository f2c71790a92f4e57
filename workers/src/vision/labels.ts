import { coverAt, distance2, type Ink, type Raster, type Rgb } from './raster.ts';

/** From pixels to labels: which of a few inks each pixel has, without lines and volume bars, with hollow bodies filled. */

export interface Box {
  width: number;
  height: number;
}

/** Outlines of scaled pictures are paler than bodies: a blend of the background and a colour of the candles counts as that colour. */
export function joinShades(labels: Int8Array, background: Rgb, inks: readonly Ink[], pair: readonly number[]): void {
  const joined = inks.map(({ rgb }, ink) => {
    if (pair.includes(ink)) return ink;
    return pair.find((other) => coverAt(rgb, 0, background, (inks[other] as Ink).rgb) > 0.3) ?? ink;
  });
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const ink = labels[pixel] as number;
    if (ink >= 0) labels[pixel] = joined[ink] ?? ink;
  }
}

const inkNear = 78;

/** Less of an ink than this in a pixel is its blurred edge. */
const edgeCover = 0.42;

/** Index of the nearest ink of each pixel, -1 for none. Blends of background and ink, as scaled pictures have, count as that ink. */
export function labelsOf({ rgb }: Raster, background: Rgb, foreground: Uint8Array, inks: readonly Ink[]): Int8Array {
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

/** Share of the width that is marked on a row of a line across the picture. */
const lineShare = 0.15;

/**
 * Removes rows of thin marks, such as the line of the last price, that have no ink above or below them. Lines that nearly touch, such as a
 * grid line beside the last price, are one band.
 */
export function stripLines(labels: Int8Array, box: Box): void {
  const { width, height } = box;
  const thick = width > 1400 ? 3 : 2;
  for (let y = thick; y < height - thick;) {
    if (!isLineRow(labels, box, y, thick)) {
      y++;
      continue;
    }
    let end = y + 1;
    for (let row = end; row < Math.min(height - thick, end + 2, y + 2 * thick + 1); row++)
      if (isLineRow(labels, box, row, thick)) end = row + 1;
    eraseThin(labels, width, { from: y, end, thick });
    y = end;
  }
}

/** Whether enough marks of a row are free above or below: one side suffices beside another line. */
function isLineRow(labels: Int8Array, { width }: Box, y: number, thick: number): boolean {
  const from = y * width;
  const end = from + width;
  // Most rows have few marks of any kind, so one pass over the pixels rejects them.
  let marked = 0;
  for (let pixel = from; pixel < end; pixel++) marked += ((labels[pixel] as number) >> 31) + 1;
  if (marked < width * lineShare) return false;
  const far = thick * width;
  let free = 0;
  for (let pixel = from; pixel < end; pixel++)
    if ((labels[pixel] as number) >= 0 && ((labels[pixel - far] as number) < 0 || (labels[pixel + far] as number) < 0))
      free++;
  return free >= width * lineShare;
}

function eraseThin(
  labels: Int8Array,
  width: number,
  { from, end, thick }: { from: number; end: number; thick: number },
): void {
  const isOneLine = end - from <= thick;
  for (let y = from; y < end; y++) {
    // Rows of one line are checked separately; a band of lines by what stands above and below all of it.
    const above = isOneLine ? y - thick : from - 1;
    const below = isOneLine ? y + thick : end;
    for (let x = 0; x < width; x++)
      if ((labels[above * width + x] as number) < 0 && (labels[below * width + x] as number) < 0)
        labels[y * width + x] = -1;
  }
}

/** Takes away volume bars: vertical strokes of one ink that end on one common row in the lower part. */
export function stripVolume(labels: Int8Array, { width, height }: Box): void {
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

/**
 * Erases the stroke that ends at the base, upwards until its ink ends. Its last row may be blended with the row below, in another shade.
 */
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
export function eachInkRun(
  labels: Int8Array,
  { width, height }: Box,
  report: (from: number, end: number, ink: number) => void,
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
      report(pixel, end, ink);
      pixel = end;
    }
  }
}
