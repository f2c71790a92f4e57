import { describe, expect, it } from 'vitest';
import { liveState, mergePrices, wantPrices } from '../../src/data/market.ts';

describe('a batch of prices', () => {
  it('takes the price of a symbol that has none any more off, and brings it back with the next one', () => {
    const none = { exchange: 'binance', confirmedAtMs: 1, prices: [], missing: [] };
    const before = { ...none, prices: ['BTCUSDT', 'GONEUSDT', 'HALTUSDT'].map((symbol) => ({ symbol, price: 1 })) };
    const missing = [
      { symbol: 'GONEUSDT', why: 'not_traded' as const },
      { symbol: 'HALTUSDT', why: 'halted' as const },
      { symbol: 'OTHERUSDT', why: 'halted' as const },
    ];
    const after = mergePrices(before, { ...none, missing });
    expect(after.prices).toEqual([{ symbol: 'BTCUSDT', price: 1 }]);
    expect(after.missing).toEqual(missing.slice(0, 2));
    const back = mergePrices(after, { ...none, prices: [{ symbol: 'HALTUSDT', price: 2 }] });
    expect(back.prices).toContainEqual({ symbol: 'HALTUSDT', price: 2 });
    expect(back.missing).toEqual(missing.slice(0, 1));
  });

  it('replaces what it has and keeps the rest, in the order of the list', () => {
    const of = (confirmedAtMs: number, prices: [string, number][]) => ({
      exchange: 'binance',
      confirmedAtMs,
      prices: prices.map(([symbol, price]) => ({ symbol, price })),
      missing: [],
    });
    const before = of(1, [
      ['B', 2],
      ['A', 1],
      ['C', 3],
    ]);
    expect(
      mergePrices(
        before,
        of(9, [
          ['A', 7],
          ['X', 8],
        ]),
      ),
    ).toEqual(
      of(9, [
        ['B', 2],
        ['A', 7],
        ['C', 3],
      ]),
    );
  });
});

describe('wanted prices', () => {
  it('are wanted until the last who wanted them has left', () => {
    const [one, two] = [wantPrices(['A', 'B']), wantPrices(['B'])];
    expect(liveState.wanted.symbols).toEqual(['A', 'B']);
    one();
    expect(liveState.wanted.symbols).toEqual(['B']);
    two();
    expect(liveState.wanted.symbols).toEqual([]);
  });
});
