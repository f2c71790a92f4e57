import { describe, expect, it } from 'vitest';
import { createMovableMarket } from '../../../../fakes/exchanges/market/moved.ts';
import type { Market } from '../../../../fakes/exchanges/market/seededMarket.ts';
import type { Listing } from '../../../../fakes/exchanges/market/venues.ts';

const minute = 60_000;
/** Every candle opens at 1000, has the range 990 to 1010 and closes at 1005; the quote is 1000. */
const still: Market = {
  candles: (_listing, _interval, fromMs, toMs, nowMs) =>
    Array.from({ length: Math.ceil((Math.min(toMs, nowMs + 1) - fromMs) / minute) }, (_, i) => ({
      openTimeMs: fromMs + i * minute,
      open: 1000,
      high: 1010,
      low: 990,
      close: 1005,
      lots: 7,
    })),
  quote: () => ({ last: 1000, bid: 999, ask: 1001, mark: 10, index: 10 }),
  fundingRate: () => 0,
  listedAtMs: () => 0,
};
const listing = { venue: 'binance', instrument: { ids: { binance: 'AUSDT' } } } as unknown as Listing;
const other = { venue: 'binance', instrument: { ids: { binance: 'BUSDT' } } } as unknown as Listing;

describe('a market whose prices a test moves', () => {
  const market = createMovableMarket(still);
  market.move({ symbol: 'AUSDT', factor: 1.02 }, 90_000);
  market.move({ symbol: 'AUSDT', factor: 0.9 }, 200_000);

  it('leaves the past and other symbols unchanged', () => {
    expect(market.quote(listing, 89_999).last).toBe(1000);
    expect(market.quote(other, 100_000).last).toBe(1000);
    expect(market.candles(listing, '1m', 0, minute, 300_000)[0]).toMatchObject({ open: 1000, high: 1010, close: 1005 });
  });

  it('jumps inside the candle of the move, and stays there', () => {
    expect(market.quote(listing, 90_000)).toEqual({ last: 1020, bid: 1019, ask: 1021, mark: 10.2, index: 10.2 });
    const [first, second] = market.candles(listing, '1m', minute, 3 * minute, 180_000);
    expect(first).toEqual({ openTimeMs: minute, open: 1000, high: 1030, low: 990, close: 1025, lots: 7 });
    expect(second).toMatchObject({ open: 1020, high: 1030, low: 1010, close: 1025 });
  });

  it('applies the newest factor to the unmoved price', () => {
    expect(market.quote(listing, 200_000).last).toBe(900);
    // The fourth minute starts at 1.02 and ends at 0.9; while it runs it contains only what has happened.
    expect(market.candles(listing, '1m', 3 * minute, 4 * minute, 239_999)[0]).toMatchObject({
      open: 1020,
      low: 891,
      close: 905,
    });
    expect(market.candles(listing, '1m', 3 * minute, 4 * minute, 190_000)[0]).toMatchObject({ low: 1010, close: 1025 });
  });
});
