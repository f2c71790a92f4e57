import { describe, expect, it } from 'vitest';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { pinnedMarket } from '../../../../fakes/exchanges/market/pinned.ts';
import { createSeededMarket, type Market } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { type Listing, listingOf } from '../../../../fakes/exchanges/market/venues.ts';
import { startExchanges } from '../../../../fakes/exchanges/server.ts';

const hour = 3_600_000;
const marketMs = Date.UTC(2026, 2, 2);
const listing = listingOf('binance', instruments[0]!)!;
/** A night, an afternoon of another day, and a leap day: 20 minutes after the full hour. */
const starts = [Date.UTC(2026, 10, 22, 3), Date.UTC(2026, 10, 23, 15), Date.UTC(2028, 1, 29, 22)].map(
  (atMs) => atMs + 20 * 60_000,
);
const started = (startedAtMs: number, seed = 7): Market =>
  pinnedMarket(createSeededMarket(seed), { marketMs, startedAtMs });

/** Open times count from the full hour of the start. */
function history(market: Market, of: Listing, interval: string, startedAtMs: number, spanMs: number) {
  const fullHour = Math.floor(startedAtMs / hour) * hour;
  return market
    .candles(of, interval, fullHour - 200 * spanMs, startedAtMs + 1, startedAtMs)
    .map((candle) => ({ ...candle, openTimeMs: candle.openTimeMs - fullHour }));
}

describe('a pinned market', () => {
  it.each([
    ['1m', 60_000],
    ['15m', 900_000],
    ['1h', hour],
  ])('shows the same %s candles, quotes and fundings at whatever hour it is started', (interval, spanMs) => {
    const [night, ...others] = starts.map((atMs) => {
      const market = started(atMs);
      return {
        candles: history(market, listing, interval, atMs, spanMs),
        quote: market.quote(listing, atMs).last,
        listedAgoMs: Math.floor(atMs / hour) * hour - market.listedAtMs(listing),
      };
    });
    expect(night!.candles.length).toBeGreaterThan(200);
    for (const other of others) expect(other).toEqual(night);
  });

  it('differs with another seed', () => {
    const [atMs] = starts as [number];
    expect(history(started(atMs, 8), listing, '1h', atMs, hour)).not.toEqual(
      history(started(atMs), listing, '1h', atMs, hour),
    );
  });

  it('builds longer candles from its hours, aligned to clock hours', () => {
    for (const atMs of starts) {
      const market = started(atMs);
      const days = market.candles(listing, '1d', Math.floor(atMs / 86_400_000) * 86_400_000 - 86_400_000, atMs, atMs);
      expect(days.length).toBe(2);
      for (const day of days) {
        const hours = market.candles(listing, '1h', day.openTimeMs, day.openTimeMs + 86_400_000, atMs);
        expect(day).toEqual({
          openTimeMs: hours[0]!.openTimeMs,
          open: hours[0]!.open,
          high: Math.max(...hours.map(({ high }) => high)),
          low: Math.min(...hours.map(({ low }) => low)),
          close: hours.at(-1)!.close,
          lots: hours.reduce((sum, { lots }) => sum + lots, 0),
        });
        expect(day.openTimeMs % 86_400_000).toBe(0);
      }
    }
  });

  it('is returned equally by two servers started at different hours', async () => {
    const rows = await Promise.all(
      starts.slice(0, 2).map(async (atMs) => {
        const exchanges = await startExchanges({ seed: 7, now: () => atMs, pin: { marketMs, startedAtMs: atMs } });
        const query = 'symbol=BTCUSDT&interval=1h&limit=50';
        const response = await fetch(`${exchanges.url}/fapi/v1/klines?${query}`);
        const candles = (await response.json()) as [number, ...string[]][];
        await exchanges.close();
        return candles.map(([openTimeMs, open, high, low, close, volume]) => [
          openTimeMs - Math.floor(atMs / hour) * hour,
          open,
          high,
          low,
          close,
          volume,
        ]);
      }),
    );
    expect(rows[0]).toHaveLength(50);
    expect(rows[1]).toEqual(rows[0]);
  });
});
