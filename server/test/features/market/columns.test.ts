import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { describe, expect, it } from 'vitest';
import { agreeAt, sliceCandles, gapsWithin, joinCandles } from '../../../src/features/market/columns.ts';

/** Candles at these times; every price is the time plus `more`. */
function candles(times: number[], more = 0): Candles {
  const column = Float64Array.from(times, (time) => time + more);
  return { time: Float64Array.from(times), open: column, high: column, low: column, close: column, volume: column };
}

describe('candle columns', () => {
  it('finds the first candle at or after a time', () => {
    const { time } = candles([10, 20, 30]);
    expect([5, 10, 11, 30, 31].map((each) => indexFrom(time, each))).toEqual([0, 0, 1, 2, 3]);
    expect(indexFrom(new Float64Array(), 5)).toBe(0);
  });

  it('cuts a span with both ends', () => {
    expect(Array.from(sliceCandles(candles([10, 20, 30, 40]), 20, 30).close)).toEqual([20, 30]);
    expect(sliceCandles(candles([10]), 20, 30).time).toHaveLength(0);
  });

  it('joins two stretches; where they overlap the newer one counts', () => {
    const whole = joinCandles(candles([10, 20, 30]), candles([30, 40], 0.5));
    expect(Array.from(whole.time)).toEqual([10, 20, 30, 40]);
    expect(Array.from(whole.close)).toEqual([10, 20, 30.5, 40.5]);
    expect(Array.from(joinCandles(candles([10]), candles([])).time)).toEqual([10]);
    expect(Array.from(joinCandles(candles([]), candles([10])).time)).toEqual([10]);
  });

  it('checks whether two stretches agree on one candle', () => {
    expect(agreeAt(candles([10, 20]), candles([20, 30]), 20)).toBe(true);
    expect(agreeAt(candles([10, 20]), candles([20, 30], 1), 20)).toBe(false);
    expect(agreeAt(candles([10]), candles([30], 1), 20)).toBe(true);
  });

  it('retains the part of a gap that lies within a span', () => {
    const gaps = [{ fromMs: 10, toMs: 50, missingCount: 5 }];
    expect(gapsWithin(gaps, 30, 90, 10)).toEqual([{ fromMs: 30, toMs: 50, missingCount: 3 }]);
    expect(gapsWithin(gaps, 60, 90, 10)).toEqual([]);
  });
});
