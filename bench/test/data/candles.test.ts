import { describe, expect, it } from 'vitest';
import { candleWalk, candleWalks } from '../../data/candles.ts';

describe('candleWalk', () => {
  it('starts as worked out by hand', () => {
    // State 1 gives 1015568748, 1586005467, 2165703038, 3027450565 over 2^32: their sum is 1.8149...; less 2: -0.1850...
    const state = [1015568748, 1586005467, 2165703038, 3027450565];
    const shock = state.reduce((sum, value) => sum + value / 2 ** 32, 0) - 2;
    const { open, close, time } = candleWalk(1, 1);
    expect(open[0]).toBe(30_000);
    expect(close[0]).toBeCloseTo(30_000 * (1 + shock * 0.006), 1);
    expect(time[0]).toBe(Date.UTC(2024, 0, 1));
  });

  it('is the same market for the same seed and another for another', () => {
    expect(candleWalk(50, 9)).toEqual(candleWalk(50, 9));
    expect(candleWalk(50, 9).close).not.toEqual(candleWalk(50, 10).close);
  });

  it('makes candles a validator would take', () => {
    const { time, open, high, low, close, volume } = candleWalk(2000, 3);
    for (let i = 0; i < 2000; i++) {
      expect(high[i]).toBeGreaterThanOrEqual(Math.max(open[i]!, close[i]!));
      expect(low[i]).toBeLessThanOrEqual(Math.min(open[i]!, close[i]!));
      expect(low[i]).toBeGreaterThan(0);
      expect(volume[i]).toBeGreaterThan(0);
      if (i > 0) expect(time[i]! - time[i - 1]!).toBe(3_600_000);
    }
  });

  it('gives every series of a set its own walk', () => {
    const closes = candleWalks(64, 100).map(({ close }) => close.join());
    expect(new Set(closes).size).toBe(64);
  });
});
