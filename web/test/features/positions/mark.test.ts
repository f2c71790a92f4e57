import { PAGE_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { describe, expect, it } from 'vitest';
import { chips, chipTakes } from '../../../src/features/positions/OpenPositionsView.tsx';
import { drawdownOf } from '../../../src/features/positions/portfolio/AnalyticsPage.tsx';
import { exposureOf, mark, markBy, totalsOf } from '../../../src/features/positions/mark.ts';
import { lastOnly, viewWith } from '../../support/positions.ts';

describe('an open position at its price', () => {
  it('AUTO-030 AUTO-031 has the hand-worked gross and net figures', () => {
    // Gross at 101: 10, 1 % of 1000. Sold without a book at 101 x 0.9999 = 100.9899, on the tick 100.98: 9.8 - 0.5 - 0.5049.
    const long = mark(viewWith(), lastOnly(101));
    expect(long.pnl).toBeCloseTo(10, 9);
    expect(long.roiPct).toBeCloseTo(1, 9);
    expect(long).toMatchObject({ fill: 100.98, isSpreadKnown: false });
    expect(long.netIfClosed).toBeCloseTo(8.7951, 9);
    expect(long.returnOnMarginPct).toBeCloseTo(8.7951, 9);
    expect(long.worth).toBeCloseTo(9.5, 9);
    expect(long.exposure).toBe(1010);
  });

  it('DESK-176 pays half the spread where it is known: a long is sold at 100.9 x 0.9999, a short bought at 101.1 x 1.0001', () => {
    const quote = { last: 101, bid: 100.9, ask: 101.1 };
    const long = mark(viewWith(), quote);
    // 100.88: 8.8 - 0.5 - 0.5044.
    expect(long).toMatchObject({ fill: 100.88, isSpreadKnown: true });
    expect(long.netIfClosed).toBeCloseTo(7.7956, 9);
    // 101.11011, up to 101.12: -11.2 - 0.5 - 0.5056.
    const short = mark(viewWith({ side: 'SHORT' }), quote);
    expect(short.fill).toBe(101.12);
    expect(short.netIfClosed).toBeCloseTo(-12.2056, 9);
    // What is gross, and the equity, stay at the last price.
    expect([long.pnl, short.pnl, long.worth]).toEqual([10, -10, 9.5]);
  });

  it('DESK-176 counts what its earlier parts gained, on the margin and the value of all entries', () => {
    // 20 coins at 100, half of them closed with a gain of 20: 20 + 9.8 - 1.5 - 0.5049, of a margin of 200.
    const rest = mark(viewWith({ realisedPnl: 20, entryValue: 2000, fees: 1.5 }), lastOnly(101));
    expect(rest.netIfClosed).toBeCloseTo(27.7951, 9);
    expect(rest.returnOnMarginPct).toBeCloseTo(13.89755, 9);
    expect(rest.roiPct).toBeCloseTo(1.5, 9);
  });

  it('is the other way round for a short, funding paid off it', () => {
    const short = mark(viewWith({ side: 'SHORT', funding: 0.2 }), lastOnly(101));
    expect(short.pnl).toBeCloseTo(-10, 9);
    expect(short.worth).toBeCloseTo(-10.7, 9);
    expect(short.exposure).toBe(-1010);
  });

  it('has no figure without a price, is left out of the sums and is named once', () => {
    const unknown = mark(viewWith({ symbol: 'ZUSDT' }), null);
    expect(unknown).toMatchObject({ pnl: null, netIfClosed: null, worth: null, exposure: null });
    const totals = totalsOf([mark(viewWith(), lastOnly(101)), unknown, unknown]);
    expect(totals).toMatchObject({ margin: 300, withoutSpread: 1, missing: ['ZUSDT'] });
    expect(totals.pnl).toBeCloseTo(10, 9);
    expect(totals.worth).toBeCloseTo(9.5, 9);
  });
});

describe('an open position on another exchange', () => {
  const on = (price: number, confirmedAtMs = 1000) => ({
    confirmedAtMs,
    prices: [{ symbol: 'AUSDT', price, bid: price - 1, ask: price + 1 }],
    missing: [{ symbol: 'GONEUSDT', why: 'not_traded' as const }],
  });
  const pricesOn = { binance: on(101), bybit: on(102), okx: on(103, 1000 - PAGE_PRICE_AGE_MS_MAX) };

  it.each([
    ['binance', 101],
    ['bybit', 102],
    // Too old.
    ['okx', null],
  ] as const)('on %s has the price of that exchange: %s', (exchange, price) => {
    const marked = markBy(viewWith({ exchange }), pricesOn, 1000);
    expect([marked.price, marked.isSpreadKnown]).toEqual([price, price === null ? null : true]);
  });

  it('says why there is no price there', () => {
    const gone = viewWith({ exchange: 'bybit', symbol: 'GONEUSDT' });
    expect(markBy(gone, pricesOn, 1000)).toMatchObject({ price: null, whyNoPrice: 'not_traded' });
    expect(markBy(gone, { binance: on(1) }, 1000)).toMatchObject({ price: null, whyNoPrice: 'no_price' });
  });
});

describe('exposure', () => {
  it('adds up by side and symbol, largest first, without what has no price', () => {
    const list = [
      mark(viewWith({ symbol: 'AUSDT' }), lastOnly(100)),
      mark(viewWith({ symbol: 'BUSDT', qty: 5 }), lastOnly(300)),
      mark(viewWith({ symbol: 'AUSDT', side: 'SHORT', qty: 2 }), lastOnly(100)),
      mark(viewWith({ symbol: 'CUSDT' }), null),
    ];
    expect(exposureOf(list)).toEqual({
      long: 2500,
      short: 200,
      gross: 2700,
      net: 2300,
      bySymbol: [
        { symbol: 'BUSDT', long: 1500, short: 0 },
        { symbol: 'AUSDT', long: 1000, short: 200 },
      ],
    });
  });
});

describe('drawdown of measured equity', () => {
  it('falls from the highest point so far, and skips what was not measured', () => {
    const points = [1000, 1050, null, 987, 1020].map((equity, i) => ({ atMs: i, equity }));
    const result = drawdownOf(points);
    expect(result.deepest).toBeCloseTo(0.06, 12); // 1,050 down to 987
    expect(result.now).toBeCloseTo(30 / 1050, 12);
    expect(result.fractions[2]).toBeNull();
  });

  it('is none without a point', () => expect(drawdownOf([])).toEqual({ deepest: null, now: null, fractions: [] }));
});

describe('POS-004 POS-005 the chips', () => {
  it.each([
    { position: viewWith({ side: 'LONG', confidence: 0.7 }), takes: ['all', 'long', 'high'] },
    { position: viewWith({ side: 'SHORT', confidence: 0.699 }), takes: ['all', 'short', 'low'] },
  ])('take $position.side at $position.confidence as $takes', ({ position, takes }) => {
    expect(chips.filter((chip) => chipTakes(chip, position))).toEqual(takes);
  });
});
