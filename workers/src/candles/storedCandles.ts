import type { Candles } from '../protocol/backtest.ts';
import { unpackChunk } from './candleChunk.ts';
import { candleFields, candlesOf, cutCandles, indexFrom } from './candleColumns.ts';

/** Stored candles as the API sends them: the length of the header (uint32, little endian), the header as JSON, then the chunks. */
export interface StoredHeader {
  exchange: string;
  /** The newest stretch without a part that was never requested: opens of its first and last bar, epoch ms; null without one. */
  fromMs: number | null;
  toMs: number | null;
  /** Bytes of each chunk, oldest first. A chunk is one byte of form (1: deflated) and its content. */
  chunks: number[];
  /** Bars in a later version: time, open, high, low, close, volume. */
  revisions: number[][];
}

export interface StoredStretch {
  exchange: string;
  candles: Candles;
}

export function packStored(header: StoredHeader, chunks: readonly Uint8Array[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + text.length + chunks.reduce((sum, { length }) => sum + length, 0));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = 4 + text.length;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * The newest contiguous stretch of a response; null when nothing is stored.
 * @param inflate decompresses raw deflate
 * @throws RangeError or SyntaxError when the bytes are damaged
 */
export async function unpackStored(
  bytes: Uint8Array,
  inflate: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<StoredStretch | null> {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as StoredHeader;
  if (header.fromMs === null || header.toMs === null) return null;
  let at = 4 + length;
  const parts = await Promise.all(
    header.chunks.map(async (size) => {
      const chunk = bytes.subarray(at, (at += size));
      const body = chunk.subarray(1);
      return unpackChunk(chunk[0] === 1 ? await inflate(body) : body);
    }),
  );
  const count = parts.reduce((sum, { time }) => sum + time.length, 0);
  const joined = candlesOf((name) => {
    const column = new Float64Array(count);
    let start = 0;
    for (const part of parts) {
      column.set(part[name], start);
      start += part[name].length;
    }
    return column;
  });
  for (const row of header.revisions) {
    const index = indexFrom(joined.time, row[0] ?? NaN);
    if (joined.time[index] === row[0]) candleFields.forEach((name, i) => (joined[name][index] = row[i] ?? NaN));
  }
  return { exchange: header.exchange, candles: cutCandles(joined, header.fromMs, header.toMs + 1) };
}
