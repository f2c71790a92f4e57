import { beforeEach, describe, expect, it } from 'vitest';
import { keepWarm, type WarmMarket } from '../../../src/features/market/keepWarm.ts';
import type { CandleRequest, Market } from '../../../src/features/market/port.ts';
import { reject } from '../../../src/platform/errors.ts';

const MINUTE = 60_000;
const startMs = Date.UTC(2025, 2, 14, 10);
let nowMs: number;
let requested: CandleRequest[];
let market: WarmMarket;
let isFailing: boolean;

beforeEach(() => {
  nowMs = startMs + 20_000;
  requested = [];
  isFailing = false;
  const candles = { time: [], open: [], high: [], low: [], close: [], volume: [] };
  const empty = Object.fromEntries(Object.keys(candles).map((name) => [name, new Float64Array()])) as never;
  const below = {
    candles: (request: CandleRequest) => {
      requested.push(request);
      const value = {
        exchange: 'binance',
        fetchedAtMs: nowMs,
        value: { candles: empty, gaps: [], rejectedCount: 0 },
      } as const;
      return Promise.resolve(isFailing ? reject('upstream_unavailable', 'no') : ({ ok: true, value } as const));
    },
  } as unknown as Market;
  market = keepWarm(below, { now: () => nowMs, everyMs: 0 });
});

const use = (symbol: string, interval: '1m' | '15m' = '1m') => market.candles({ symbol, interval, limit: 200 });

describe('keepWarm', () => {
  it('fetches a series in use once after each of its bars has closed and settled', async () => {
    await use('BTCUSDT');
    requested = [];
    await market.refresh();
    nowMs = startMs + MINUTE + 1000;
    await market.refresh();
    expect(requested).toEqual([]);
    nowMs = startMs + MINUTE + 1500;
    await market.refresh();
    await market.refresh();
    expect(requested).toEqual([{ exchange: 'binance', symbol: 'BTCUSDT', interval: '1m', limit: 1 }]);
    nowMs = startMs + 2 * MINUTE + 1500;
    await market.refresh();
    expect(requested).toHaveLength(2);
  });

  it('does not refresh a series that was not requested for ten minutes', async () => {
    await use('BTCUSDT', '15m');
    requested = [];
    nowMs = startMs + 15 * MINUTE + 2000;
    await market.refresh();
    expect(requested).toEqual([]);
  });

  it('does not count a request for past candles as use', async () => {
    await market.candles({ symbol: 'BTCUSDT', interval: '1m', limit: 200, endTimeMs: startMs });
    requested = [];
    nowMs = startMs + 5 * MINUTE;
    await market.refresh();
    expect(requested).toEqual([]);
  });

  it('does not hammer a failing exchange: one attempt per closed bar', async () => {
    await use('BTCUSDT');
    requested = [];
    isFailing = true;
    nowMs = startMs + MINUTE + 2000;
    for (let i = 0; i < 10; i++) await market.refresh();
    expect(requested).toHaveLength(1);
  });

  it('fetches at most twenty series a round, the rest in the next ones', async () => {
    for (let i = 0; i < 30; i++) await use(`A${i}USDT`);
    requested = [];
    nowMs = startMs + MINUTE + 2000;
    await market.refresh();
    expect(requested).toHaveLength(20);
    await market.refresh();
    expect(new Set(requested.map(({ symbol }) => symbol)).size).toBe(30);
  });
});
