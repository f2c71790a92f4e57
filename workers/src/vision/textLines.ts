import type { Area } from './reading.ts';
import { backgroundOf, distance2, type Raster } from './raster.ts';

/** Marks beside each other that may be a line of text, and the middle row of its tall characters. */
export interface TextLine {
  box: Area;
  /** Typical height of a capital or digit. */
  height: number;
  middle: number;
}

interface Mark {
  left: number;
  right: number;
  top: number;
  bottom: number;
  pixels: number;
}

/** Nearer to the background of its area than this, a pixel is no text. */
const contrastMin = 44;
const heightMin = 4;

/** Darkness of each pixel of an area against the commonest colour there: 0 is background. */
export interface Patch {
  area: Area;
  width: number;
  height: number;
  contrast: Float32Array;
}

export function patchOf({ width, height, rgb }: Raster, wanted: Area): Patch {
  const area = {
    left: Math.max(0, Math.floor(wanted.left)),
    top: Math.max(0, Math.floor(wanted.top)),
    right: Math.min(width, Math.ceil(wanted.right)),
    bottom: Math.min(height, Math.ceil(wanted.bottom)),
  };
  const [w, h] = [Math.max(0, area.right - area.left), Math.max(0, area.bottom - area.top)];
  const cut = new Uint8Array(w * h * 3);
  for (let y = 0; y < h; y++) {
    const from = ((area.top + y) * width + area.left) * 3;
    cut.set(rgb.subarray(from, from + w * 3), y * w * 3);
  }
  const background = w * h === 0 ? ([0, 0, 0] as const) : backgroundOf({ width: w, height: h, rgb: cut });
  const contrast = new Float32Array(w * h);
  for (let pixel = 0; pixel < contrast.length; pixel++)
    contrast[pixel] = Math.sqrt(distance2(cut, pixel * 3, background));
  return { area, width: w, height: h, contrast };
}

/** Connected marks, corners included, in places of the patch. */
function marksOf({ width, height, contrast }: Patch): Mark[] {
  const seen = new Uint8Array(contrast.length);
  const stack: number[] = [];
  const marks: Mark[] = [];
  for (let start = 0; start < contrast.length; start++) {
    if (seen[start] === 1 || (contrast[start] as number) < contrastMin) continue;
    const mark = { left: width, right: 0, top: height, bottom: 0, pixels: 0 };
    seen[start] = 1;
    stack.push(start);
    for (let pixel = stack.pop(); pixel !== undefined; pixel = stack.pop()) {
      const x = pixel % width;
      const y = (pixel - x) / width;
      mark.left = Math.min(mark.left, x);
      mark.right = Math.max(mark.right, x + 1);
      mark.top = Math.min(mark.top, y);
      mark.bottom = Math.max(mark.bottom, y + 1);
      mark.pixels++;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const [nextX, nextY] = [x + dx, y + dy];
          if (nextX < 0 || nextX >= width || nextY < 0 || nextY >= height) continue;
          const next = nextY * width + nextX;
          if (seen[next] === 1 || (contrast[next] as number) < contrastMin) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    marks.push(mark);
  }
  return marks;
}

/** Characters, also several that touch: no grid, no frame, no filled box. */
function isTextLike({ left, right, top, bottom, pixels }: Mark, heightMax: number): boolean {
  const [width, height] = [right - left, bottom - top];
  const isBox = width > height * 1.8 && pixels > width * height * 0.72;
  return height >= heightMin && height <= heightMax && width <= height * 14 && !isBox;
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Lines of text of an area, from the top: marks of similar height beside each other. `gap`: widest space within a line, in heights of a
 * character. `isOther`: marks of the chart itself, in places of the picture.
 */
export function textLines(patch: Patch, gap: number, heightMax: number, isOther: (box: Area) => boolean): TextLine[] {
  const { area } = patch;
  const placed = (mark: Mark): Area => ({
    left: mark.left + area.left,
    right: mark.right + area.left,
    top: mark.top + area.top,
    bottom: mark.bottom + area.top,
  });
  const marks = marksOf(patch)
    .filter((mark) => isTextLike(mark, heightMax) && !isOther(placed(mark)))
    .sort((a, b) => a.left - b.left);
  const open: Mark[][] = [];
  for (const mark of marks) {
    const match = open.find((line) => {
      const last = line.at(-1) as Mark;
      const height = Math.max(last.bottom - last.top, mark.bottom - mark.top);
      const shared = Math.min(last.bottom, mark.bottom) - Math.max(last.top, mark.top);
      return (
        shared >= height * 0.4 && mark.left - Math.max(...line.map(({ right }) => right)) <= Math.max(2, height * gap)
      );
    });
    if (match === undefined) open.push([mark]);
    else match.push(mark);
  }
  return open.map((line) => lineOf(line, patch)).sort((a, b) => a.box.top - b.box.top);
}

function lineOf(marks: readonly Mark[], { area, width, contrast }: Patch): TextLine {
  const height = medianOf(marks.map(({ top, bottom }) => bottom - top));
  const tall = marks.filter(({ top, bottom }) => bottom - top >= height * 0.8);
  const box = {
    left: Math.min(...marks.map(({ left }) => left)) + area.left,
    right: Math.max(...marks.map(({ right }) => right)) + area.left,
    top: Math.min(...marks.map(({ top }) => top)) + area.top,
    bottom: Math.max(...marks.map(({ bottom }) => bottom)) + area.top,
  };
  // Edges to a fraction of a row: a blurred first row counts by its darkness against the darkest of its mark.
  const middles = tall.map(({ left, right, top, bottom }) => {
    const darkest = (y: number): number => {
      let most = 0;
      for (let x = left; x < right; x++) most = Math.max(most, contrast[y * width + x] ?? 0);
      return most;
    };
    let full = 0;
    for (let y = top; y < bottom; y++) full = Math.max(full, darkest(y));
    return (top + 1 - darkest(top) / full + bottom - 1 + darkest(bottom - 1) / full) / 2;
  });
  return { box, height, middle: medianOf(middles) + area.top };
}

/** Dark text on white, one line below the other: the input of the reader of characters. */
export interface TextSheet {
  width: number;
  height: number;
  grey: Uint8Array;
  /** Row of the sheet on which each line ends, in the order of the lines. */
  ends: number[];
}

/** Height of a capital on the sheet, for which the reader of characters is best. */
const capital = 26;
const margin = 18;
const widthMax = 2200;

/** Each line enlarged to one height of characters. */
export function sheetOf(lines: readonly { patch: Patch; line: TextLine }[]): TextSheet {
  const strips = lines.map(({ patch, line }) => stripOf(patch, line));
  const width = Math.max(1, ...strips.map((strip) => strip.width)) + 2 * margin;
  const height = strips.reduce((sum, strip) => sum + strip.height + margin, margin);
  const grey = new Uint8Array(width * height).fill(255);
  const ends: number[] = [];
  let top = margin;
  for (const strip of strips) {
    for (let y = 0; y < strip.height; y++)
      grey.set(strip.grey.subarray(y * strip.width, (y + 1) * strip.width), (top + y) * width + margin);
    top += strip.height + margin;
    ends.push(top - margin / 2);
  }
  return { width, height, grey, ends };
}

/** Catmull-Rom weights of the four neighbours at a place between the second and the third. */
function weights(at: number): readonly [number, number, number, number] {
  const [two, three] = [at * at, at * at * at];
  return [
    (-at + 2 * two - three) / 2,
    (2 - 5 * two + 3 * three) / 2,
    (at + 4 * two - 3 * three) / 2,
    (three - two) / 2,
  ];
}

function stripOf(patch: Patch, { box, height }: TextLine): { width: number; height: number; grey: Uint8Array } {
  const pad = 2;
  const { area } = patch;
  const left = Math.max(0, box.left - area.left - pad);
  const right = Math.min(patch.width, box.right - area.left + pad);
  const top = Math.max(0, box.top - area.top - pad);
  const bottom = Math.min(patch.height, box.bottom - area.top + pad);
  const scale = Math.min(capital / height, widthMax / (right - left));
  const [w, h] = [Math.max(1, Math.round((right - left) * scale)), Math.max(1, Math.round((bottom - top) * scale))];
  let full = contrastMin;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) full = Math.max(full, patch.contrast[y * patch.width + x] ?? 0);
  const at = (x: number, y: number): number => {
    const [column, row] = [Math.max(left, Math.min(right - 1, x)), Math.max(top, Math.min(bottom - 1, y))];
    return Math.min(1, (patch.contrast[row * patch.width + column] ?? 0) / (full * 0.9));
  };
  const grey = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const fromY = (y + 0.5) / scale - 0.5 + top;
    const rows = weights(fromY - Math.floor(fromY));
    for (let x = 0; x < w; x++) {
      const fromX = (x + 0.5) / scale - 0.5 + left;
      const columns = weights(fromX - Math.floor(fromX));
      let dark = 0;
      for (let dy = 0; dy < 4; dy++) {
        for (let dx = 0; dx < 4; dx++) {
          dark +=
            (rows[dy] as number) * (columns[dx] as number) * at(Math.floor(fromX) - 1 + dx, Math.floor(fromY) - 1 + dy);
        }
      }
      grey[y * w + x] = Math.round(255 * (1 - Math.max(0, Math.min(1, dark))));
    }
  }
  return { width: w, height: h, grey };
}
