import { describe, expect, it } from 'vitest';
import type { Candles } from '../../src/protocol/backtest.ts';
import { rejectDeadMarket } from '../../src/tasks/notTrading.ts';

/** One price and one volume for each candle: its open, high, low and close. */
function candlesOf(rows: readonly (readonly [price: number, volume: number])[]): Candles {
  const price = Float64Array.from(rows, ([value]) => value);
  const time = Float64Array.from(rows, (_, i) => i * 60_000);
  return { time, open: price, high: price, low: price, close: price, volume: Float64Array.from(rows, ([, of]) => of) };
}
const flat = (count: number, volume = 0) => Array.from({ length: count }, () => [5, volume] as const);
const moving = (count: number, volume = 1) => Array.from({ length: count }, (_, i) => [5 + (i % 2), volume] as const);
const said = (rows: Parameters<typeof candlesOf>[0]) => {
  const rejected = rejectDeadMarket(candlesOf(rows), 'timeframes');
  return rejected?.ok === false ? rejected.error : undefined;
};

describe('a market that does not trade', () => {
  it.each([
    ['never did', flat(500), 'this market is halted: one price and no volume for 500 candles'],
    [
      'stopped 50 candles ago',
      [...moving(300), ...flat(50)],
      'this market is halted: one price and no volume for 50 candles',
    ],
    ['has only 3 candles', flat(3), 'for 3 candles'],
    ['is traded at one price only', flat(200, 7), 'this market is flat: one price for 200 candles'],
  ])('is rejected by name: it %s', (_, rows, text) => {
    expect(said(rows)?.code).toBe('not_trading');
    expect(said(rows)?.message).toContain(text);
  });

  it.each([
    ['moves', moving(500)],
    ['moves without volume', moving(500, 0)],
    ['paused for 49 candles', [...moving(300), ...flat(49)]],
    ['has one candle with a trade', [...flat(299), [5, 1] as const, ...flat(20), [6, 0] as const]],
    ['has no candle', []],
  ])('is not one that %s', (_, rows) => {
    expect(said(rows)).toBeUndefined();
  });
});
