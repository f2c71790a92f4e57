import { describe, expect, it } from 'vitest';
import { arrowOf, clusterSize, clusterTrades, detailOf } from '../../src/charts/tradeLayer.ts';
import { tradeOf } from '../support/runs.ts';

const trade = (side: 'LONG' | 'SHORT', entryIndex: number, exitIndex: number, netPnl: number) =>
  tradeOf({ side, entryIndex, exitIndex, netPnl });

describe('trades that stand close together', () => {
  // Candles 0 to 3 and 4 to 7; the third trade opens in one and closes in the other.
  const trades = [trade('LONG', 0, 1, 5), trade('LONG', 2, 3, -1), trade('SHORT', 3, 5, 2), trade('SHORT', 6, 9, 0)];

  it('are counted by side where they open and by outcome where they close; a trade that earned nothing is no win', () => {
    expect(clusterTrades(trades, { from: 0, to: 9, size: 4 })).toEqual([
      { first: 0, last: 3, longs: 2, shorts: 1, wins: 1, losses: 1 },
      { first: 4, last: 7, longs: 0, shorts: 1, wins: 1, losses: 0 },
      { first: 8, last: 11, longs: 0, shorts: 0, wins: 0, losses: 1 },
    ]);
  });

  it('count whole stretches at the edges of the view, and none outside: dragging changes no figure', () => {
    const whole = [
      { first: 0, last: 3, longs: 2, shorts: 1, wins: 1, losses: 1 },
      { first: 4, last: 7, longs: 0, shorts: 1, wins: 1, losses: 0 },
    ];
    expect(clusterTrades(trades, { from: 3, to: 6, size: 4 })).toEqual(whole);
    expect(clusterTrades(trades, { from: 0, to: 7, size: 4 })).toEqual(whole);
  });

  it('lose none: every entry and every exit in sight is in one count', () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      trade(at % 3 === 0 ? 'SHORT' : 'LONG', at, at + 2, at % 5 ? 1 : -1),
    );
    for (const size of [1, 2, 8, 64, 1024]) {
      const clusters = clusterTrades(many, { from: 0, to: 1000, size });
      const sum = (of: (each: (typeof clusters)[number]) => number) =>
        clusters.reduce((all, each) => all + of(each), 0);
      expect([sum(({ shorts }) => shorts), sum(({ longs }) => longs)]).toEqual([134, 266]);
      expect([sum(({ wins }) => wins), sum(({ losses }) => losses)]).toEqual([320, 80]);
    }
  });
});

it('a cluster is as wide as its figures, at least 46 px, in candles of a power of two', () => {
  // 46 px are 46 candles of 1 px: the next power of two is 64. Of 10 px: 4.6, so 8. Of 50 px: one.
  expect([1, 10, 50, 0.01].map(clusterSize)).toEqual([64, 8, 1, 8192]);
});

it('RULE-126 marks have 8 px each: 50 trades have 100 marks, then 50 arrows alone, then counts', () => {
  expect([800, 799, 400, 399].map((widthPx) => detailOf(50, widthPx))).toEqual([
    'whole',
    'entries',
    'entries',
    'counts',
  ]);
  // 390 px leave about 320 for the candles.
  expect(detailOf(40, 320)).toBe('entries');
});

it('RULE-126 the arrow of a long points up below its candle, that of a short down above it', () => {
  // A candle from pixel 80 (high) to 100 (low); pixels grow downwards.
  const at = { x: 50, low: 100, high: 80 };
  const size = { unit: 4, gap: 3 };
  expect(arrowOf({ side: 'LONG' }, at, size)).toEqual([
    [50, 103],
    [46, 111],
    [54, 111],
  ]);
  expect(arrowOf({ side: 'SHORT' }, at, size)).toEqual([
    [50, 77],
    [46, 69],
    [54, 69],
  ]);
});
