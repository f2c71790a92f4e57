import type { Candles } from '../protocol/backtest.ts';

/**
 * Lossless packing of candles. Prices are whole ticks as differences (open to the previous close, close to the open, wicks to the body),
 * volumes whole lots, both as variable-length integers; a column that has no decimal scale is stored as float64. Times are a start, a
 * step and, where bars are missing, one bit per slot. Server and page share it.
 */

const HEADER_BYTES = 24;
/** Differences of scaled values stay exact in a float64, sign included. */
const SCALED_MAX = 2 ** 50;
const DECIMALS_MAX = 12;
const RAW = 255;
/** Above a month of minutes. */
const CANDLES_MAX = 1_000_000;

/** Decimals with which every value is a whole number and returns to the same bits, or null. */
function decimalsOf(columns: readonly Float64Array[]): number | null {
  let decimals = 0;
  for (const column of columns) {
    for (const value of column) {
      while (!isWhole(value, decimals)) {
        decimals++;
        if (decimals > DECIMALS_MAX) return null;
      }
    }
  }
  // A larger scale may round an earlier value to other bits.
  const isExact = columns.every((column) => column.every((value) => isWhole(value, decimals)));
  return isExact ? decimals : null;
}

function isWhole(value: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  const whole = Math.round(value * scale);
  return Math.abs(whole) < SCALED_MAX && Object.is(whole / scale, value) && !Object.is(whole, -0);
}

const scaled = (column: Float64Array, decimals: number): Float64Array =>
  column.map((value) => Math.round(value * 10 ** decimals));

/** Zigzag varints: small magnitudes of either sign take one byte. */
function packIntegers(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  let at = 0;
  for (const value of values) {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    while (rest >= 128) {
      bytes[at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  }
  return bytes.subarray(0, at);
}

function unpackIntegers(bytes: Uint8Array, count: number): Float64Array {
  const values = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let rest = 0;
    let unit = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a column is too short');
      rest += (byte & 127) * unit;
      if (byte < 128) break;
      unit *= 128;
    }
    values[i] = rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2;
  }
  if (at !== bytes.length) throw new RangeError('a column is too long');
  return values;
}

/** Bytes of float64 values by significance: equal high bytes stand together and compress. */
function packFloats(values: Float64Array): Uint8Array {
  const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = new Uint8Array(from.length);
  for (let i = 0; i < values.length; i++)
    for (let plane = 0; plane < 8; plane++) bytes[plane * values.length + i] = from[i * 8 + plane] as number;
  return bytes;
}

function unpackFloats(bytes: Uint8Array, count: number): Float64Array {
  if (bytes.length !== count * 8) throw new RangeError('a column has the wrong length');
  const values = new Float64Array(count);
  const into = new Uint8Array(values.buffer);
  for (let i = 0; i < count; i++)
    for (let plane = 0; plane < 8; plane++) into[i * 8 + plane] = bytes[plane * count + i] as number;
  return values;
}

/** Open, close, high and low in ticks as differences. */
function priceDifferences(candles: Candles, decimals: number): Float64Array[] {
  const [open, high, low, close] = [candles.open, candles.high, candles.low, candles.close].map((column) =>
    scaled(column, decimals),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const differences = [0, 0, 0, 0].map(() => new Float64Array(open.length));
  let before = 0;
  for (let i = 0; i < open.length; i++) {
    const [o, h, l, c] = [open[i], high[i], low[i], close[i]] as [number, number, number, number];
    const row = [o - before, c - o, h - Math.max(o, c), Math.min(o, c) - l];
    for (let part = 0; part < 4; part++) (differences[part] as Float64Array)[i] = row[part] as number;
    before = c;
  }
  return differences;
}

function pricesOf(
  [gap, body, above, below]: Float64Array[],
  decimals: number,
): Pick<Candles, 'open' | 'high' | 'low' | 'close'> {
  const count = gap?.length ?? 0;
  const [open, high, low, close] = [0, 0, 0, 0].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const scale = 10 ** decimals;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const o = before + (gap?.[i] ?? NaN);
    const c = o + (body?.[i] ?? NaN);
    open[i] = o / scale;
    close[i] = c / scale;
    high[i] = (Math.max(o, c) + (above?.[i] ?? NaN)) / scale;
    low[i] = (Math.min(o, c) - (below?.[i] ?? NaN)) / scale;
    before = c;
  }
  return { open, high, low, close };
}

/** One bit per slot of the time grid, or none when no bar is missing. @throws RangeError for a time off the grid */
function packTimes(time: Float64Array, stepMs: number): { slotCount: number; bits: Uint8Array } {
  const first = time[0] ?? 0;
  const slotCount = time.length === 0 ? 0 : ((time.at(-1) ?? 0) - first) / stepMs + 1;
  const bits = new Uint8Array(Math.ceil(slotCount / 8));
  let before = -1;
  for (const each of time) {
    const slot = (each - first) / stepMs;
    if (!Number.isInteger(slot) || slot <= before) throw new RangeError(`${each} is not on the time grid`);
    bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7));
    before = slot;
  }
  return { slotCount, bits: slotCount === time.length ? new Uint8Array(0) : bits };
}

function column(mode: number, bytes: Uint8Array): Uint8Array[] {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, mode);
  head.setUint32(1, bytes.length, true);
  return [new Uint8Array(head.buffer), bytes];
}

/** A decimal scale as its mode, or the raw columns. */
function packPrices(candles: Candles): Uint8Array[] {
  const { open, high, low, close } = candles;
  const decimals = decimalsOf([open, high, low, close]);
  if (decimals === null) return [open, high, low, close].flatMap((each) => column(RAW, packFloats(each)));
  return priceDifferences(candles, decimals).flatMap((each) => column(decimals, packIntegers(each)));
}

function packVolume({ volume }: Candles): Uint8Array[] {
  const decimals = decimalsOf([volume]);
  return decimals === null ? column(RAW, packFloats(volume)) : column(decimals, packIntegers(scaled(volume, decimals)));
}

/**
 * Packs candles on a grid of `stepMs`.
 * @throws RangeError for a time that is off the grid or does not increase
 */
export function packChunk(candles: Candles, stepMs: number): Uint8Array {
  const { slotCount, bits } = packTimes(candles.time, stepMs);
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setFloat64(0, candles.time[0] ?? 0, true);
  header.setFloat64(8, stepMs, true);
  header.setUint32(16, slotCount, true);
  header.setUint32(20, candles.time.length, true);
  return joined([new Uint8Array(header.buffer), bits, ...packPrices(candles), ...packVolume(candles)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The candles of a packed chunk. @throws RangeError when its bytes are cut or contradict each other */
export function unpackChunk(body: Uint8Array): Candles {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const first = view.getFloat64(0, true);
  const stepMs = view.getFloat64(8, true);
  const slotCount = view.getUint32(16, true);
  const count = view.getUint32(20, true);
  if (count > CANDLES_MAX || slotCount > CANDLES_MAX) throw new RangeError('the chunk is too long');
  const bitBytes = slotCount === count ? 0 : Math.ceil(slotCount / 8);
  const time = timesOf(body.subarray(HEADER_BYTES, HEADER_BYTES + bitBytes), { first, stepMs, slotCount, count });
  let at = HEADER_BYTES + bitBytes;
  const columns = [0, 1, 2, 3, 4].map(() => {
    const mode = view.getUint8(at);
    const length = view.getUint32(at + 1, true);
    const bytes = body.subarray(at + 5, at + 5 + length);
    at += 5 + length;
    return { mode, values: mode === RAW ? unpackFloats(bytes, count) : unpackIntegers(bytes, count) };
  });
  if (at !== body.length) throw new RangeError('bytes are left over');
  const [open, high, low, close, lots] = columns as [Column, Column, Column, Column, Column];
  const prices =
    open.mode === RAW
      ? { open: open.values, high: high.values, low: low.values, close: close.values }
      : pricesOf(
          [open, high, low, close].map(({ values }) => values),
          open.mode,
        );
  const volume = lots.mode === RAW ? lots.values : lots.values.map((each) => each / 10 ** lots.mode);
  return { time, ...prices, volume };
}

interface Column {
  mode: number;
  values: Float64Array;
}

interface Grid {
  first: number;
  stepMs: number;
  slotCount: number;
  count: number;
}

function timesOf(bits: Uint8Array, { first, stepMs, slotCount, count }: Grid): Float64Array {
  const time = new Float64Array(count);
  let at = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const isThere = bits.length === 0 || ((bits[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
    if (isThere) time[at++] = first + slot * stepMs;
  }
  if (at !== count) throw new RangeError('the number of bars does not match their times');
  return time;
}
