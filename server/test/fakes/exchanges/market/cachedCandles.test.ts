import { describe, expect, it } from 'vitest';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { keepingCandles } from '../../../../fakes/exchanges/market/cachedCandles.ts';
import { createMovableMarket } from '../../../../fakes/exchanges/market/moved.ts';
import { createSeededMarket, type Market } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { type Listing, listingOf } from '../../../../fakes/exchanges/market/venues.ts';
import { binanceRoutes } from '../../../../fakes/exchanges/binance/rest.ts';

const nowMs = Date.UTC(2025, 2, 14, 10, 7, 30);
const minute = 60_000;
const listing = listingOf('binance', instruments[0] as (typeof instruments)[number]) as Listing;
const other = listingOf('binance', instruments[5] as (typeof instruments)[number]) as Listing;

/** A market that counts the requested candles. */
function counted(market: Market): { market: Market; requestedCount: () => number } {
  let count = 0;
  return {
    market: {
      ...market,
      candles(...question) {
        const matches = market.candles(...question);
        count += matches.length;
        return matches;
      },
    },
    requestedCount: () => count,
  };
}

describe('keepingCandles', () => {
  it('returns what the market below returns, whatever was requested before', () => {
    const plain = createSeededMarket(7);
    const keeping = keepingCandles(createSeededMarket(7));
    const spans = [
      // Overlaps, a gap behind, a far past, a span inside, one that ends in the running bar, one between two opens, a clock set back.
      ...[
        { from: 300, to: 100, at: 0 },
        { from: 200, to: 0, at: 0 },
        { from: 900, to: 700, at: 0 },
        { from: 650, to: 400, at: 0 },
      ],
      ...[
        { from: 90_000, to: 89_900, at: 0 },
        { from: 89_000, to: 88_900, at: 0 },
        { from: 89_900, to: 89_000, at: 0 },
        { from: 250, to: 150, at: 0 },
        { from: 60, to: -60, at: 0 },
      ],
      ...[
        { from: 30.5, to: 0, at: 0 },
        { from: 120, to: 0, at: 60 },
        { from: 120, to: 0, at: 0 },
      ],
    ];
    for (const interval of ['1m', '15m', '1h'] as const) {
      const step = { '1m': minute, '15m': 15 * minute, '1h': 60 * minute }[interval];
      const edge = Math.floor(nowMs / step) * step;
      for (const each of [listing, other]) {
        for (const { from, to, at } of spans) {
          const requested = [each, interval, edge - from * step, edge - to * step, nowMs - at * minute] as const;
          expect(keeping.candles(...requested), `${interval} ${from} to ${to}`).toEqual(plain.candles(...requested));
        }
      }
    }
  });

  it('computes a closed candle once, and the running one each time', () => {
    const below = counted(createSeededMarket(7));
    const keeping = keepingCandles(below.market);
    const fromMs = Math.floor(nowMs / minute) * minute - 100 * minute;
    const request = (untilMs: number) => keeping.candles(listing, '1m', fromMs, untilMs + 1, untilMs);
    expect(request(nowMs)).toHaveLength(101);
    expect(below.requestedCount()).toBe(101);
    request(nowMs);
    expect(below.requestedCount()).toBe(102);
    request(nowMs + minute);
    expect(below.requestedCount()).toBe(104);
  });

  it('does not return the cached text of the previous candle for a moved one', () => {
    const market = createMovableMarket(keepingCandles(createSeededMarket(7)));
    const wire = { market, listings: new Map([[listing.id, listing]]), nowMs: nowMs + 5 * minute };
    const request = () =>
      binanceRoutes['/fapi/v1/klines']?.answer(wire, { symbol: listing.id, interval: '1m', limit: '5' }).body as
        | string[][]
        | undefined;
    const before = request();
    market.move({ symbol: listing.id, factor: 2 }, nowMs);
    const after = request();
    expect(Number(after?.[4]?.[4]) / Number(before?.[4]?.[4])).toBeCloseTo(2, 3);
    expect(after?.[3]?.[6]).toBe(before?.[3]?.[6]);
  });
});
