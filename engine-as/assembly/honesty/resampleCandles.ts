import { randomBelow, streamKey } from '../random/draw';
import { at, put } from '../series';

const COLUMNS = 6;

/**
 * Another market out of the pieces of one: blocks of whole candles, drawn with replacement, each put on from the close before
 * it. A candle keeps its shape, its gap to the candle before it and its volume; only the level changes. The times and the
 * first candle stay. One block of the whole length is the market itself, to the bit.
 * Source: Kuensch, The Jackknife and the Bootstrap for General Stationary Observations (1989), on price ratios.
 *
 * @param columns     i32[6]: addresses of time, open, high, low, close, volume, f64[count] each
 * @param count       >= 2
 * @param blockLength 1..count - 1
 * @param out         i32[6]: addresses of the columns to write
 */
export function resampleCandles(columns: usize, count: i32, blockLength: i32, seed: u64, path: i32, out: usize): void {
  const key = streamKey(seed, <u64>path);
  const close = columnOf(columns, 4);
  const made = columnOf(out, 4);
  for (let c = 0; c < COLUMNS; c++) put(columnOf(out, c), 0, at(columnOf(columns, c), 0));
  let source = 0;
  for (let t = 1; t < count; t++) {
    const inBlock = (t - 1) % blockLength;
    // The first candle has none before it and therefore no gap: blocks start at the second.
    if (inBlock === 0) {
      source = 1 + <i32>randomBelow(key, <u64>((t - 1) / blockLength), <u32>(count - blockLength));
    }
    const from = source + inBlock;
    const scale = at(made, t - 1) / at(close, from - 1);
    put(columnOf(out, 0), t, at(columnOf(columns, 0), t));
    for (let c = 1; c < 5; c++) put(columnOf(out, c), t, at(columnOf(columns, c), from) * scale);
    put(columnOf(out, 5), t, at(columnOf(columns, 5), from));
  }
}

function columnOf(columns: usize, index: i32): usize {
  return <usize>load<u32>(columns + ((<usize>index) << 2));
}
