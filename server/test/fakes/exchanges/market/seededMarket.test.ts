import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { type Candle, createSeededMarket, type Market } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { type Listing, listingOf, venueIds } from '../../../../fakes/exchanges/market/venues.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const spans: Record<string, number> = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '1h': HOUR,
  '4h': 4 * HOUR,
  '1d': DAY,
};
const intervals = Object.keys(spans);
const nowMs = Date.UTC(2025, 5, 11, 13, 37, 42);
const listings = venueIds.flatMap((venue) =>
  instruments.map((instrument) => listingOf(venue, instrument)).filter((listing) => listing !== undefined),
);
const listing = (id: string, venue = 'binance'): Listing =>
  listings.find((each) => each.id === id && each.venue === venue) ?? expect.unreachable(`${venue} ${id}`);
const some = fc.constantFrom(...listings);
const instant = fc.integer({ min: Date.UTC(2023, 6, 1), max: nowMs });

function aggregate(bars: readonly Candle[]): Omit<Candle, 'openTimeMs'> {
  return {
    open: bars[0]!.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: bars.at(-1)!.close,
    lots: bars.reduce((sum, { lots }) => sum + lots, 0),
  };
}

describe('the seeded market', () => {
  it('returns the same bar to every caller, in any order, any number of times', () => {
    const shared = createSeededMarket(7);
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(...intervals),
        instant,
        fc.integer({ min: 1, max: 40 }),
        (each, interval, atMs, count) => {
          const span = spans[interval]!;
          const toMs = Math.floor(atMs / span) * span;
          const request = (market: Market): Candle[] =>
            market.candles(each, interval, toMs - count * span, toMs, nowMs);
          // One market has served all earlier requests; the other is new.
          expect(request(shared)).toEqual(request(createSeededMarket(7)));
        },
      ),
      { numRuns: 60, seed: 51 },
    );
  });

  it('does not change a closed bar when time passes', () => {
    const market = createSeededMarket(7);
    const each = listing('ETHUSDT');
    const request = (atMs: number): Candle[] => market.candles(each, '15m', nowMs - 2 * DAY, nowMs - DAY, atMs);
    expect(request(nowMs + 300 * DAY)).toEqual(request(nowMs));
  });

  it('differs with another seed', () => {
    const request = (seed: number): Candle[] =>
      createSeededMarket(seed).candles(listing('BTCUSDT'), '1h', nowMs - DAY, nowMs, nowMs);
    expect(request(7)).not.toEqual(request(8));
  });

  it('builds every coarser bar exactly from its finer ones', () => {
    const market = createSeededMarket(7);
    const pairs = intervals.slice(1).map((coarse, index) => [coarse, intervals[index]!] as const);
    fc.assert(
      fc.property(some, fc.constantFrom(...pairs), instant, (each, [coarse, fine], atMs) => {
        const span = spans[coarse]!;
        const openMs = Math.floor(atMs / span) * span - span;
        fc.pre(openMs >= market.listedAtMs(each));
        const [whole] = market.candles(each, coarse, openMs, openMs + span, nowMs);
        const parts = market.candles(each, fine, openMs, openMs + span, nowMs);
        expect(parts).toHaveLength(span / spans[fine]!);
        expect(whole).toEqual({ openTimeMs: openMs, ...aggregate(parts) });
      }),
      { numRuns: 400, seed: 52 },
    );
  });

  it('turns a running bar into the closed one: its open stays, its range and volume only grow', () => {
    const market = createSeededMarket(7);
    const each = listing('SOLUSDT');
    const openMs = Math.floor(nowMs / (4 * HOUR)) * 4 * HOUR;
    const at = (atMs: number): Candle => market.candles(each, '4h', openMs, openMs + 1, atMs)[0]!;
    let before = at(openMs);
    for (let atMs = openMs; atMs <= openMs + 4 * HOUR; atMs += 7 * MINUTE + 313) {
      const bar = at(atMs);
      expect(bar.open).toBe(before.open);
      expect(bar.high >= before.high && bar.low <= before.low && bar.lots >= before.lots).toBe(true);
      expect(bar.close).toBe(market.quote(each, atMs).last);
      before = bar;
    }
    const closed = at(openMs + 4 * HOUR);
    expect(closed.high >= before.high && closed.low <= before.low && closed.lots >= before.lots).toBe(true);
    expect(closed.close).toBe(market.quote(each, openMs + 4 * HOUR).last);
  });

  it('has only valid bars without gaps, and opens where it closed', () => {
    const market = createSeededMarket(7);
    fc.assert(
      fc.property(some, fc.constantFrom(...intervals), instant, (each, interval, atMs) => {
        const span = spans[interval]!;
        const toMs = Math.floor(atMs / span) * span;
        const bars = market.candles(each, interval, toMs - 60 * span, toMs, nowMs);
        bars.forEach((bar, i) => {
          const { open, high, low, close, lots } = bar;
          expect([open, high, low, close, lots].every(Number.isSafeInteger)).toBe(true);
          expect(low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && lots >= 0).toBe(true);
          if (i === 0) return;
          expect(bar.openTimeMs - bars[i - 1]!.openTimeMs).toBe(span);
          expect(open).toBe(bars[i - 1]!.close);
        });
      }),
      { numRuns: 200, seed: 53 },
    );
  });

  it('lists more than 120 perpetuals with at least two years of history for most', () => {
    const market = createSeededMarket(7);
    const onBinance = listings.filter(({ venue }) => venue === 'binance');
    expect(onBinance.length).toBeGreaterThanOrEqual(120);
    const old = onBinance.filter(
      (each) => market.candles(each, '1d', nowMs - 731 * DAY, nowMs - 729 * DAY, nowMs).length >= 2,
    );
    expect(old.length).toBeGreaterThanOrEqual(100);
  });

  it('quotes bid below ask around the last price, with a mark and an index close to it', () => {
    const market = createSeededMarket(7);
    fc.assert(
      fc.property(some, instant, (each, atMs) => {
        fc.pre(atMs > market.listedAtMs(each));
        const { last, bid, ask, mark, index } = market.quote(each, atMs);
        const scale = 10 ** each.priceDecimals;
        expect(bid < ask && bid > 0).toBe(true);
        expect(
          Math.abs(bid - last) <= Math.max(2, last * 0.002) && Math.abs(ask - last) <= Math.max(2, last * 0.002),
        ).toBe(true);
        expect(Math.abs((mark * scale) / last - 1)).toBeLessThan(0.02 + 1 / last);
        expect(Math.abs((index * scale) / last - 1)).toBeLessThan(0.02 + 1 / last);
      }),
      { numRuns: 300, seed: 54 },
    );
  });

  it('has similar but not equal prices on the exchanges', () => {
    const market = createSeededMarket(7);
    const closes = (venue: string, id: string): number[] => {
      const each = listing(id, venue);
      return market
        .candles(each, '5m', nowMs - 5 * DAY, nowMs, nowMs)
        .map(({ close }) => close / 10 ** each.priceDecimals);
    };
    const [binance, bybit, okx] = [
      closes('binance', 'BTCUSDT'),
      closes('bybit', 'BTCUSDT'),
      closes('okx', 'BTC-USDT-SWAP'),
    ];
    const bps = binance.map((price, i) => 1e4 * Math.abs(Math.log(price / bybit[i]!)));
    expect(Math.max(...bps)).toBeLessThan(10);
    expect(bps.filter((each) => each > 0).length).toBeGreaterThan(bps.length * 0.9);
    expect(binance).not.toEqual(okx);
  });

  it('pays funding of the size and sign real markets do, clamped around 0.01 %', () => {
    const market = createSeededMarket(7);
    const rates = instruments.slice(0, 40).flatMap((instrument) => {
      const each = listingOf('binance', instrument)!;
      return Array.from({ length: 90 }, (_, i) => market.fundingRate(each, Date.UTC(2025, 4, 1) + i * 8 * HOUR, nowMs));
    });
    const usual = rates.filter((rate) => rate === 0.0001).length / rates.length;
    expect(usual).toBeGreaterThan(0.3);
    expect(usual).toBeLessThan(0.97);
    expect(rates.some((rate) => rate < 0) && rates.some((rate) => rate > 0.0003)).toBe(true);
    expect(Math.max(...rates.map(Math.abs))).toBeLessThanOrEqual(0.02);
  });
});
