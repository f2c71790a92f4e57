import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { groundPicture } from '../../../src/features/vision/groundPicture.ts';
import { readingOf, strangeBars } from './support.ts';

const HOUR = 3_600_000;
const candlesOf = (count: number) => {
  const column = Float64Array.from({ length: count }, (_, i) => i + 1);
  const time = column.map((at) => at * HOUR);
  return { time, open: column, high: column, low: column, close: column, volume: column };
};

/** In memory: 5,000 candles of BTCUSDT 1h, 500 of its 4h, and 500 of ETHUSDT 1h. Requests for the title return 1,500 candles. */
const memory: Record<string, number> = { 'BTCUSDT 1h': 5000, 'BTCUSDT 4h': 500, 'ETHUSDT 1h': 500 };
const market = {
  candles: ({ symbol, interval, limit }: { symbol: string; interval: string; limit: number }) => {
    const value = { candles: candlesOf(limit), gaps: [], rejectedCount: 0 };
    return Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: 0, value, symbol, interval }));
  },
  turnovers: () =>
    Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: 0, value: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }] })),
  readWarm: ({ symbol, interval, limit }: { symbol: string; interval: string; limit: number }) =>
    (memory[`${symbol} ${interval}`] ?? 0) >= limit ? { candles: candlesOf(limit) } : null,
} as unknown as Market;

describe('a picture with a readable title', () => {
  it('is searched as far back as one without: only series whose cached part is no longer than what was read are left out', async () => {
    const searched: string[][] = [];
    const engine = {
      run: (_task: string, { series }: { series: { symbol: string; interval: string; close: Float64Array }[] }) => {
        searched.push(series.map(({ symbol, interval, close }) => `${symbol} ${interval} ${close.length}`));
        return Promise.resolve(ok({ match: null }));
      },
    } as unknown as EnginePool;
    const reading = readingOf(strangeBars(90, 100, 1), { title: { symbol: 'BTCUSDT', interval: '1h' } });
    const outcome = await groundPicture({ market, engine }, reading, {
      userId: 'anna',
      signal: new AbortController().signal,
    });
    expect(searched[0]).toHaveLength(6);
    expect(searched[1]).toEqual(['BTCUSDT 1h 5000', 'ETHUSDT 1h 500']);
    // Six intervals of the title and another symbol; the series that was searched twice counts once, at its whole length.
    expect(outcome).toMatchObject({
      ok: true,
      value: { found: null, symbolCount: 2, seriesCount: 7, candleCount: 5 * 1500 + 5000 + 500 },
    });
  });
});
