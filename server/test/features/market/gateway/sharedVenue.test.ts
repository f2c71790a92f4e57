import { ok } from '@sextant/workers/src/core/result.ts';
import { expect, it } from 'vitest';
import { createSharedReads } from '../../../../src/features/market/gateway/sharedVenue.ts';
import type { OwnVenue } from '../../../../src/features/market/gateway/wire.ts';
import type { CandleWindow } from '../../../../src/features/market/port.ts';

const MINUTE_MS = 60_000;
const priority = { isBackground: true, isBulk: false, patienceMs: null, heldFor: null } as const;

/** An exchange whose candles end at `lastMs`. */
function createCounted(lastMs: number, clockMs = Date.now()) {
  let requestCount = 0;
  const candles: OwnVenue['candles'] = ({ fromMs, toMs }) => {
    requestCount += 1;
    const count = (Math.min(toMs, lastMs) - fromMs) / MINUTE_MS + 1;
    const time = Float64Array.from({ length: count }, (_, i) => fromMs + i * MINUTE_MS);
    const window: CandleWindow = {
      candles: { time, open: time, high: time, low: time, close: time, volume: time },
      gaps: toMs > lastMs ? [{ fromMs: lastMs + MINUTE_MS, toMs, missingCount: (toMs - lastMs) / MINUTE_MS }] : [],
      rejectedCount: 0,
    };
    return Promise.resolve(ok(window));
  };
  let nowMs = 0;
  const read = createSharedReads(
    { binance: { candles } as OwnVenue },
    () => nowMs,
    () => clockMs,
  );
  /** Reads a window from 0 at a time. @returns requests of the exchange so far */
  return async (atMs: number, toMs: number): Promise<number> => {
    nowMs = atMs;
    const request = { symbol: 'BTCUSDT', interval: '1m', fromMs: 0, toMs };
    await read({ exchange: 'binance', read: 'candles', request, priority });
    return requestCount;
  };
}

it('NODE-197 nodes that start some seconds later get complete candles without another request of the exchange', async () => {
  const readAt = createCounted(9 * MINUTE_MS);
  expect(await readAt(0, 9 * MINUTE_MS)).toBe(1);
  expect(await readAt(5000, 9 * MINUTE_MS)).toBe(1);
  expect(await readAt(14_999, 9 * MINUTE_MS)).toBe(1);
  expect(await readAt(15_000, 9 * MINUTE_MS)).toBe(2);
});

it('NODE-197 a bar that has just closed is soon requested again: the exchange may correct it', async () => {
  const closedMs = 10 * MINUTE_MS;
  const early = createCounted(9 * MINUTE_MS, closedMs + 14_999);
  expect([await early(0, 9 * MINUTE_MS), await early(1500, 9 * MINUTE_MS)]).toEqual([1, 2]);
  const settled = createCounted(9 * MINUTE_MS, closedMs + 15_000);
  expect([await settled(0, 9 * MINUTE_MS), await settled(1500, 9 * MINUTE_MS)]).toEqual([1, 1]);
});

it('NODE-197 candles whose last one is missing are soon requested again', async () => {
  const readAt = createCounted(8 * MINUTE_MS);
  expect(await readAt(0, 9 * MINUTE_MS)).toBe(1);
  expect(await readAt(1499, 9 * MINUTE_MS)).toBe(1);
  expect(await readAt(1500, 9 * MINUTE_MS)).toBe(2);
});

it('NODE-197 the gateway stores a bounded number of candles, the newest', async () => {
  const readAt = createCounted(300_000 * MINUTE_MS);
  // 300,001 candles each: two windows are more than the bound of 400,000.
  expect(await readAt(0, 300_000 * MINUTE_MS)).toBe(1);
  expect(await readAt(0, 300_000 * MINUTE_MS)).toBe(1);
  expect(await readAt(0, 299_999 * MINUTE_MS)).toBe(2);
  expect(await readAt(0, 299_999 * MINUTE_MS)).toBe(2);
  expect(await readAt(0, 300_000 * MINUTE_MS)).toBe(3);
});
