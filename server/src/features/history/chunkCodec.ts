import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { packChunk, unpackChunk } from '@sextant/workers/src/candles/candleChunk.ts';
import { candleFields, candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** First byte of a payload: how the rest is stored. */
const PLAIN = 0;
const DEFLATED = 1;
const deflate = promisify(deflateRaw);

/**
 * Packs candles on a grid of `stepMs`, compressed when that is smaller, and verifies that they read back to the same bits.
 * @throws RangeError for a time that is off the grid or does not increase
 */
export async function encodeCandles(candles: Candles, stepMs: number): Promise<Buffer> {
  const body = packChunk(candles, stepMs);
  const packed = await deflate(body, { level: 6 });
  const payload =
    packed.length < body.length
      ? Buffer.concat([Buffer.from([DEFLATED]), packed])
      : Buffer.concat([Buffer.from([PLAIN]), body]);
  const read = decodeCandles(payload);
  if (!read.ok || !areSameBits(read.value, candles))
    throw new Error('packed candles do not read back to the same bits');
  return payload;
}

/** The candles of a payload, or why it cannot be read. */
export function decodeCandles(payload: Uint8Array): Result<Candles, string> {
  const [mode] = payload;
  if (mode !== PLAIN && mode !== DEFLATED) return failWith(`the form ${mode ?? 'missing'} is unknown`);
  try {
    const rest = payload.subarray(1);
    return ok(unpackChunk(mode === DEFLATED ? inflateRawSync(rest) : rest));
  } catch (error) {
    return failWith(error instanceof Error ? error.message : String(error));
  }
}

/** Whether all columns hold the same 64 bits. */
export const areSameBits = (one: Candles, other: Candles): boolean =>
  candleFields.every((name) => Buffer.compare(bytesOf(one[name]), bytesOf(other[name])) === 0);

const bytesOf = (column: Float64Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/** Checksum of a chunk. Its name is part of it: a payload stored under another series does not pass. */
export const checksumOf = (name: string, payload: Uint8Array): Buffer =>
  createHash('sha256').update(name).update('\n').update(payload).digest();

export const noCandles = (): Candles => candlesOf(() => new Float64Array(0));
