import { PAGE_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { describe, expect, it } from 'vitest';
import { chips, chipTakes } from '../../../src/features/positions/OpenPositionsView.tsx';
import { drawdownOf } from '../../../src/features/positions/portfolio/AnalyticsPage.tsx';
import { exposureOf, mark, markBy, totalsOf } from '../../../src/features/positions/mark.ts';
import { viewWith } from '../../support/positions.ts';

describe('an open position at its price', () => {
  it('AUTO-030 AUTO-031 has the hand-worked gross and net figures', () => {
    // 101: gross 10, 1 % of 1000; net 10 - 0.5 - 0.505 = 8.995, of a margin of 100.
    const long = mark(viewWith(), 101);
    expect(long.pnl).toBeCloseTo(10, 9);
    expect(long.roiPct).toBeCloseTo(1, 9);
    expect(long.netIfClosed).toBeCloseTo(8.995, 9);
    expect(long.returnOnMarginPct).toBeCloseTo(8.995, 9);
    expect(long.worth).toBeCloseTo(9.5, 9);
    expect(long.exposure).toBe(1010);
  });

  it('is the other way round for a short, funding paid off it', () => {
    const short = mark(viewWith({ side: 'SHORT', funding: 0.2 }), 101);
    expect(short.pnl).toBeCloseTo(-10, 9);
    expect(short.worth).toBeCloseTo(-10.7, 9);
    expect(short.exposure).toBe(-1010);
  });

  it('has no figure without a price, is left out of the sums and is named once', () => {
    const unknown = mark(viewWith({ symbol: 'ZUSDT' }), null);
    expect(unknown).toMatchObject({ pnl: null, netIfClosed: null, worth: null, exposure: null });
    const totals = totalsOf([mark(viewWith(), 101), unknown, unknown]);
    expect(totals).toMatchObject({ margin: 300, missing: ['ZUSDT'] });
    expect(totals.pnl).toBeCloseTo(10, 9);
    expect(totals.worth).toBeCloseTo(9.5, 9);
  });
});

describe('an open position on another exchange', () => {
  const on = (price: number, confirmedAtMs = 1000) => ({
    confirmedAtMs,
    prices: [{ symbol: 'AUSDT', price }],
    missing: [{ symbol: 'GONEUSDT', why: 'not_traded' as const }],
  });
  const pricesOn = { binance: on(101), bybit: on(102), okx: on(103, 1000 - PAGE_PRICE_AGE_MS_MAX) };

  it.each([
    ['binance', 101],
    ['bybit', 102],
    // Too old.
    ['okx', null],
  ] as const)('on %s has the price of that exchange: %s', (exchange, price) => {
    expect(markBy(viewWith({ exchange }), pricesOn, 1000).price).toBe(price);
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
      mark(viewWith({ symbol: 'AUSDT' }), 100),
      mark(viewWith({ symbol: 'BUSDT', qty: 5 }), 300),
      mark(viewWith({ symbol: 'AUSDT', side: 'SHORT', qty: 2 }), 100),
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
