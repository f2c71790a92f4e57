/**
 * Minimum and maximum of a column over blocks, each level's blocks four times as long as those before: the cost of a range query does not
 * grow linearly with the range. Built once per column.
 */
interface Extremes {
  count: number;
  levels: readonly Level[];
}

interface Level {
  /** Values in a block. */
  size: number;
  low: Float64Array;
  high: Float64Array;
}

type Column = ArrayLike<number | null>;

const FACTOR = 4;
const cache = new WeakMap<Column, Extremes>();

/** @param low the same column as `high` for a line; null and NaN are holes @returns the same object for the same columns */
export function extremesOf(low: Column, high: Column = low): Extremes {
  const known = cache.get(low);
  if (known !== undefined) return known;
  const made = build(low, high);
  cache.set(low, made);
  return made;
}

function build(low: Column, high: Column): Extremes {
  const count = low.length;
  const levels: Level[] = [{ size: 1, low: plain(low), high: low === high ? plain(low) : plain(high) }];
  for (let below = levels[0]; below !== undefined && below.low.length > FACTOR; below = levels.at(-1)) {
    levels.push({ size: below.size * FACTOR, low: reduced(below.low, Math.min), high: reduced(below.high, Math.max) });
  }
  return { count, levels };
}

function plain(column: Column): Float64Array {
  if (column instanceof Float64Array) return column;
  const out = new Float64Array(column.length);
  for (let i = 0; i < out.length; i++) out[i] = column[i] ?? NaN;
  return out;
}

function reduced(values: Float64Array, choose: (a: number, b: number) => number): Float64Array {
  const out = new Float64Array(Math.ceil(values.length / FACTOR)).fill(NaN);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    const at = Math.floor(i / FACTOR);
    const before = out[at] ?? NaN;
    out[at] = Number.isNaN(before) ? value : choose(before, value);
  }
  return out;
}

/** Minimum and maximum of the values from .. to, both included; null without values. */
export function rangeOf({ count, levels }: Extremes, from: number, to: number): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  let at = Math.max(0, from);
  const end = Math.min(count - 1, to) + 1;
  while (at < end) {
    let level = levels[0];
    for (const longer of levels) if (at % longer.size === 0 && at + longer.size <= end) level = longer;
    if (level === undefined) break;
    const block = at / level.size;
    const [least, greatest] = [level.low[block] ?? NaN, level.high[block] ?? NaN];
    // Nothing is below a hole, nor above it.
    if (least < low) low = least;
    if (greatest > high) high = greatest;
    at += level.size;
  }
  return low <= high ? [low, high] : null;
}

/** The level with the longest blocks of which at least four fit into `span` values. */
export function levelFor({ levels }: Extremes, span: number): Level {
  let result = levels[0];
  for (const level of levels) if (level.size * FACTOR <= span) result = level;
  if (result === undefined) throw new Error('there is no level');
  return result;
}

/** Pixel columns of a dense plot, from left to right: position, range of values, and first and last index of each. */
export interface PixelColumns {
  count: number;
  x: Int32Array;
  low: Float64Array;
  high: Float64Array;
  first: Int32Array;
  last: Int32Array;
}

interface Shown {
  from: number;
  to: number;
  /** Pixel of an index. */
  x: (index: number) => number;
  /** Pixels from one index to the next, below 1. */
  barWidth: number;
}

/** Groups values by pixel. A block belongs to the pixel of its first value, so a column may be off by a quarter of a pixel. */
export function pixelColumns(extremes: Extremes, shown: Shown): PixelColumns {
  const { size, low, high } = levelFor(extremes, 1 / shown.barWidth);
  const firstBlock = Math.floor(shown.from / size);
  const lastBlock = Math.floor(shown.to / size);
  const room = Math.ceil((shown.to - shown.from) * shown.barWidth) + 4;
  const columns = emptyColumns(room);
  let at = -1;
  for (let block = firstBlock; block <= lastBlock; block++) {
    const [least, greatest] = [low[block] ?? NaN, high[block] ?? NaN];
    if (Number.isNaN(least)) continue;
    const x = Math.round(shown.x(block * size));
    if (at < 0 || x !== columns.x[at]) {
      at++;
      columns.x[at] = x;
      columns.first[at] = block * size;
      columns.low[at] = least;
      columns.high[at] = greatest;
    } else {
      if (least < (columns.low[at] ?? NaN)) columns.low[at] = least;
      if (greatest > (columns.high[at] ?? NaN)) columns.high[at] = greatest;
    }
    columns.last[at] = Math.min(extremes.count, (block + 1) * size) - 1;
  }
  return { ...columns, count: at + 1 };
}

function emptyColumns(room: number): PixelColumns {
  const ints = () => new Int32Array(room);
  const floats = () => new Float64Array(room);
  return { count: 0, x: ints(), low: floats(), high: floats(), first: ints(), last: ints() };
}
