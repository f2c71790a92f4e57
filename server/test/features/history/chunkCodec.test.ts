import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { areSameBits, checksumOf, decodeCandles, encodeCandles } from '../../../src/features/history/chunkCodec.ts';

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 1);

/** A market of whole ticks and lots like an exchange's. */
function walk(count: number, stepMs: number, tick = 0.1, lot = 0.001): Candles {
  const candles = candlesOf(() => new Float64Array(count));
  let state = 42;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  let ticks = 600_000;
  const price = (each: number): number => Number((each * tick).toFixed(8));
  for (let i = 0; i < count; i++) {
    const open = ticks;
    ticks += Math.round((random() - 0.5) * 900);
    candles.time[i] = startMs + i * stepMs;
    candles.open[i] = price(open);
    candles.close[i] = price(ticks);
    candles.high[i] = price(Math.max(open, ticks) + Math.round(random() * 300));
    candles.low[i] = price(Math.min(open, ticks) - Math.round(random() * 300));
    candles.volume[i] = Number((Math.round(random() * 2_000_000) * lot).toFixed(8));
  }
  return candles;
}

const anyBits = fc.double();
const tickPrice = fc.integer({ min: 0, max: 10_000_000 }).map((ticks) => ticks / 1000);
const rows = (value: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), value, value, value, value, value), { maxLength: 60 });

function candlesFrom(list: (readonly number[])[]): Candles {
  let slot = 0;
  const times = list.map(([skip = 1]) => startMs + (slot += skip) * hourMs);
  const columns = ['time', 'open', 'high', 'low', 'close', 'volume'];
  return candlesOf((name) =>
    name === 'time'
      ? Float64Array.from(times)
      : Float64Array.from(list.map((row) => row[columns.indexOf(name)] ?? NaN)),
  );
}

async function readBack(candles: Candles): Promise<boolean> {
  const read = decodeCandles(await encodeCandles(candles, hourMs));
  return read.ok && areSameBits(read.value, candles);
}

describe('packed candles', () => {
  it('HIST-001 return every bit of any number, with any holes', async () => {
    await fc.assert(
      fc.asyncProperty(rows(anyBits), (list) => readBack(candlesFrom(list))),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(rows(tickPrice), (list) => readBack(candlesFrom(list))),
      { numRuns: 300 },
    );
    for (const value of [-0, NaN, Infinity, 5e-324, 2 ** 53 + 2, 0.1 + 0.2, 1e-12])
      expect(await readBack(candlesFrom([[1, value, 1, 2, 3, value]])), String(value)).toBe(true);
  });

  it('HIST-002 take at most 24 bytes a candle, checksum and times included', async () => {
    const candles = walk(2976, 900_000);
    const { length } = await encodeCandles(candles, 900_000);
    process.stdout.write(`one million candles take ${(((length / 2976) * 1e6) / 2 ** 20).toFixed(1)} MiB packed\n`);
    expect(length / 2976).toBeLessThan(24);
  });

  it('reject a time that is off the grid, and every cut or changed payload', async () => {
    const candles = walk(50, hourMs);
    const off = { ...candles, time: candles.time.map((each, i) => each + (i === 7 ? 1 : 0)) };
    await expect(encodeCandles(off, hourMs)).rejects.toThrow('not on the time grid');
    const payload = await encodeCandles(candles, hourMs);
    for (let end = 0; end < payload.length; end += 7) expect(decodeCandles(payload.subarray(0, end)).ok).toBe(false);
    const name = 'binance BTCUSDT 1h 2026-01';
    const sum = checksumOf(name, payload);
    expect(checksumOf('binance ETHUSDT 1h 2026-01', payload).equals(sum)).toBe(false);
    for (let at = 0; at < payload.length; at += 11) {
      const bad = Buffer.from(payload);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(checksumOf(name, bad).equals(sum)).toBe(false);
    }
  });
});
