import { describe, expect, it } from 'vitest';
import { alignToCandles, engineChoices, positioningPanes } from '../../src/charts/positioningPanes.ts';

const HOUR = 3_600_000;

describe('series of the exchange below the candles', () => {
  it('DESK-128 a candle has the last value known at its close, and none before the first', () => {
    const candles = [0, 1, 2, 3, 4].map((hour) => hour * HOUR);
    // Known at 1:30, 2:00 and 2:30: the candle of 1:00 closes at 2:00.
    const times = [1.5, 2, 2.5].map((hour) => hour * HOUR);
    expect(alignToCandles(candles, times, [10, 20, 30])).toEqual([null, 20, 30, 30, null]);
  });

  it('DESK-128 points of five minutes serve minute candles', () => {
    const minute = 60_000;
    const candles = Array.from({ length: 12 }, (_, i) => i * minute);
    const values = alignToCandles(candles, [0, 5 * minute], [1, 2]);
    // Candle 4 closes at 5:00. Ten minutes after the last point its line ends.
    expect(values).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(alignToCandles([20 * minute, 21 * minute], [0, 5 * minute], [1, 2])).toEqual([null, null]);
  });

  it('DESK-128 they are no indicators of the engine, which is fetched for its own only', () => {
    expect(engineChoices(['open-interest', 'rsi', 'long-short'])).toEqual(['rsi']);
    expect(engineChoices(['open-interest'])).toEqual([]);
  });

  it('DESK-128 a pane states its newest time, and that there is no data', () => {
    const series = {
      exchange: 'binance' as const,
      market: 'simulated',
      symbol: 'BTCUSDT',
      interval: '1h' as const,
      open_interest: { time: [0, HOUR], quantity: [100, 120] },
      long_short: null,
      failures: [],
    };
    const panes = positioningPanes(['rsi', 'open-interest', 'long-short'], [0, HOUR], series);
    expect(panes.map(({ id }) => id)).toEqual(['positioning.open-interest', 'positioning.long-short']);
    const [inUtc] = positioningPanes(['open-interest'], [0, HOUR], series, 'utc');
    expect(inUtc?.label).toBe('Open interest, at 1970-01-01 01:00 UTC');
    expect(panes[0]?.label).toMatch(/^Open interest, at \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(panes[0]?.values).toEqual([120, 120]);
    expect(panes[1]?.label).toBe('Long/short accounts, no data');
  });
});
