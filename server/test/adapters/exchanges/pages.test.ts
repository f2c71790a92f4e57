import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOf } from '../../../src/adapters/exchanges/pages.ts';
import type { Interval } from '../../../src/features/market/port.ts';
import {
  exchangeIds,
  spanMs,
  startTestExchanges,
  type TestExchanges,
  testNowMs,
  trueCandles,
} from './support/testExchanges.ts';

describe('pagesOf', () => {
  it('cuts seven bars into pages of three, the rest last', () => {
    expect(pagesOf(0, 6000, 1000, 3)).toEqual([
      { fromMs: 0, toMs: 2000 },
      { fromMs: 3000, toMs: 5000 },
      { fromMs: 6000, toMs: 6000 },
    ]);
  });

  it('makes one page of exactly one page, and none of nothing', () => {
    expect(pagesOf(0, 2000, 1000, 3)).toEqual([{ fromMs: 0, toMs: 2000 }]);
    expect(pagesOf(1000, 0, 1000, 3)).toEqual([]);
  });
});

describe('candles across the caps of one answer', () => {
  let exchanges: TestExchanges;
  beforeAll(async () => {
    exchanges = await startTestExchanges();
  });
  afterAll(() => exchanges.close());

  // 1,000 bars fit one answer of Binance and Bybit, 300 one of OKX, whose recent list ends after 1,440.
  const counts = [1, 299, 300, 301, 1000, 1001, 2500];
  const cases = exchangeIds.flatMap((exchange) => counts.map((count) => [exchange, count] as const));
  it.each(cases)('of %s: %i bars are exactly those of the market', async (exchange, count) => {
    exchanges.fake.limits.clear();
    const interval: Interval = '5m';
    const span = spanMs[interval];
    const toMs = Math.floor(testNowMs / span) * span - span;
    const fromMs = toMs - (count - 1) * span;
    const venue = exchanges.venues().byExchange[exchange];
    const found = await venue.candles({ symbol: 'ETHUSDT', interval, fromMs, toMs });
    if (!found.ok) throw new Error(found.refusal.message);
    const { candles, gaps, rejectedCount } = found.value;
    expect({ gaps, rejectedCount }).toEqual({ gaps: [], rejectedCount: 0 });
    const truth = [...trueCandles(exchanges.fake, exchange, 'ETHUSDT', interval, fromMs, toMs).values()];
    expect(truth).toHaveLength(count);
    const rows = Array.from(candles.time, (timeMs, i) => [
      timeMs,
      candles.open[i],
      candles.high[i],
      candles.low[i],
      candles.close[i],
      candles.volume[i],
    ]);
    expect(rows).toEqual(truth);
  });
});
