import { describe, expect, it } from 'vitest';
import { liveState, mergePrices, wantPrices } from '../../src/api/market.ts';

describe('a batch of prices', () => {
  it('replaces what it has and keeps the rest, in the order of the list', () => {
    const of = (confirmedAtMs: number, prices: [string, number][]) => ({
      exchange: 'binance',
      confirmedAtMs,
      prices: prices.map(([symbol, price]) => ({ symbol, price })),
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
