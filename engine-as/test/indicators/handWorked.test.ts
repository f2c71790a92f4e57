import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf } from '../candles.ts';
import { expectSeries, indicator, loadEngine, streamed } from '../support.ts';

// The examples of the registry and a few more, worked out on paper.

const N = Number.NaN;
const HOUR_MS = 3_600_000;
let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe('averages', () => {
  it('sma is the mean of the last closes', () => {
    expectSeries(indicator(engine, 'sma', candlesOf([1, 2, 3, 4]), { period: 2 })['sma']!, [N, 1.5, 2.5, 3.5]);
  });

  it('ema starts with the mean of its first closes and then moves 2 / (period + 1) of the way', () => {
    const want = [N, 1.5, 2.5, 2.5 + (2 / 3) * 3.5];
    expectSeries(indicator(engine, 'ema', candlesOf([1, 2, 3, 6]), { period: 2 })['ema']!, want);
  });

  it('macd of a steady rise is the distance between the lags of its averages', () => {
    // Fast is the close; slow lags half a step behind from the first mean on.
    const got = indicator(engine, 'macd', candlesOf([1, 2, 3, 4, 5]), { fast: 1, slow: 2, signal: 2 });
    expectSeries(got['macd']!, [N, N, 0.5, 0.5, 0.5]);
    expectSeries(got['signal']!, [N, N, 0.5, 0.5, 0.5]);
    expectSeries(got['histogram']!, [N, N, 0, 0, 0], { scale: 1 });
  });

  it('bollinger bands are two population deviations around the mean', () => {
    const got = indicator(engine, 'boll', candlesOf([1, 3, 3]), { period: 2, width: 2 });
    expectSeries(got['upper']!, [N, 4, 3]);
    expectSeries(got['middle']!, [N, 2, 3]);
    expectSeries(got['lower']!, [N, 0, 3], { scale: 1 });
  });
});

describe('oscillators', () => {
  it('rsi is the share of smoothed gains', () => {
    // Changes +1 -1 +2: the seed is gain .5, loss .5; then gain (.5 + 2) / 2 = 1.25, loss .25.
    expectSeries(indicator(engine, 'rsi', candlesOf([10, 11, 10, 12]), { period: 2 })['rsi']!, [N, N, 50, 250 / 3]);
  });

  it('rsi falls when the price falls after an unbroken rise', () => {
    expectSeries(indicator(engine, 'rsi', candlesOf([1, 2, 3, 4, 3]), { period: 2 })['rsi']!, [N, N, 100, 100, 50]);
  });

  it('cci measures the distance from the mean in mean deviations', () => {
    expectSeries(indicator(engine, 'cci', candlesOf([1, 2, 3]), { period: 3 })['cci']!, [N, N, 100]);
  });

  it('cci does not take the rounding of typical prices for movement', () => {
    // Both candles sum to 23.31, but in floating point their thirds differ in the last bit.
    const high = Array.from({ length: 25 }, () => 7.774);
    const low = Array.from({ length: 25 }, (_, i) => (i % 3 === 0 ? 7.7656 : 7.766));
    const close = Array.from({ length: 25 }, (_, i) => (i % 3 === 0 ? 7.7704 : 7.77));
    const candles = candlesOf(close, { high, low });
    expect(new Set(close.map((price, i) => (high[i]! + low[i]! + price) / 3)).size).toBe(2);
    expect(
      indicator(engine, 'cci', candles)
        ['cci']!.slice(19)
        .every((value) => value === 0),
    ).toBe(true);
  });

  it('stochastic rsi is the place of the rsi in its range', () => {
    // Period 1 makes the RSI 100 on a rise and 0 on a fall: 100, 0, 100, 100 over a range of 2.
    const got = indicator(engine, 'stochrsi', candlesOf([1, 2, 1, 2, 3]), { rsi: 1, stochastic: 2, k: 1, d: 2 });
    expectSeries(got['k']!, [N, N, 0, 100, 50], { scale: 1 }); // 100 to 100 has no range, so 50
    expectSeries(got['d']!, [N, N, N, 50, 75]);
  });

  it('mfi is the share of money that came with a rising typical price', () => {
    expectSeries(indicator(engine, 'mfi', candlesOf([1, 2, 1]), { period: 2 })['mfi']!, [N, N, 200 / 3]);
  });
});

describe('trends', () => {
  it('atr smooths the true range, gaps included', () => {
    // Ranges: candle 1 4 - 2 = 2 (no gap), candle 2 from the close 3 up to 7 = 4, candle 3 from 7 down to 1 = 6.
    const candles = candlesOf([3, 3, 7, 2], { high: [3, 4, 7, 7], low: [3, 2, 5, 1] });
    expectSeries(indicator(engine, 'atr', candles, { period: 2 })['atr']!, [N, N, 3, 4.5]);
  });

  it('adx of two candles that only rise is 100', () => {
    const candles = candlesOf([1.5, 3, 4.5], { high: [2, 4, 5], low: [1, 2, 4] });
    const got = indicator(engine, 'adx', candles, { period: 1 });
    expectSeries(got['plusDi']!, [N, 80, 50]);
    expectSeries(got['minusDi']!, [N, 0, 0]);
    expectSeries(got['adx']!, [N, 100, 100]);
  });

  it('adx counts neither side when a candle grows as much upwards as downwards', () => {
    const candles = candlesOf([5, 5, 5, 5], { high: [5, 6, 7, 8], low: [5, 4, 3, 2] });
    const got = indicator(engine, 'adx', candles, { period: 1 });
    for (const name of ['adx', 'plusDi', 'minusDi']) expect([...got[name]!]).toEqual([N, 0, 0, 0]);
  });

  it('supertrend keeps its lower band while the price is above it, and turns below it', () => {
    const candles = candlesOf([1.5, 3.5, 1.5, 0.4, 0.4], { high: [2, 4, 3, 1.6, 0.5], low: [1, 2, 1, 0.4, 0.3] });
    const got = indicator(engine, 'supertrend', candles, { period: 1, multiple: 1 });
    // Candle 3: range 1.2, middle 1, upper band min(2.2, 4.5, 5.5) = 2.2; close 0.4 is below the line 0.5.
    // Candle 4: range 0.2, middle 0.4, upper band 0.6.
    expectSeries(got['line']!, [N, 0.5, 0.5, 2.2, 0.6]);
    expectSeries(got['direction']!, [N, 1, 1, -1, -1]);
  });
});

describe('volumes', () => {
  it('vwap weighs the typical price by volume and restarts at UTC midnight', () => {
    const time = [22, 23, 24, 25].map((hour) => hour * HOUR_MS);
    const candles = candlesOf([10, 13, 20, 30], { volume: [2, 1, 1, 3], time });
    expectSeries(indicator(engine, 'vwap', candles)['vwap']!, [10, 11, 20, 27.5]);
  });

  it('vwap over a period forgets what leaves it', () => {
    const candles = candlesOf([10, 13, 20], { volume: [2, 1, 2] });
    expectSeries(indicator(engine, 'vwap', candles, { period: 2 })['vwap']!, [N, 11, 53 / 3]);
  });

  it('obv adds volume on a rise, subtracts it on a fall and keeps still otherwise', () => {
    const candles = candlesOf([1, 2, 2, 1], { volume: [5, 3, 4, 2] });
    expect([...indicator(engine, 'obv', candles)['obv']!]).toEqual([5, 8, 8, 6]);
  });
});

describe('levels', () => {
  it('donchian reads the candles before the current one', () => {
    const candles = candlesOf([2, 3, 3, 5], { high: [3, 5, 4, 6], low: [1, 2, 2.5, 4] });
    const got = indicator(engine, 'donchian', candles, { period: 2 });
    expectSeries(got['upper']!, [N, N, 5, 5]);
    expectSeries(got['lower']!, [N, N, 1, 2]);
  });

  it('ichimoku shows each line as it is known at the candle', () => {
    const candles = candlesOf([2, 3, 3.5], { high: [3, 5, 4], low: [1, 2, 3] });
    const got = indicator(engine, 'ichimoku', candles, { tenkan: 1, kijun: 2, span: 2, displacement: 2 });
    expectSeries(got['tenkan']!, [2, 3.5, 3.5]);
    expectSeries(got['kijun']!, [N, 3, 3.5]);
    expectSeries(got['senkouA']!, [N, N, 3.25]);
    expectSeries(got['senkouB']!, [N, N, 3]);
  });

  it('pivot points come from the whole previous UTC day', () => {
    const time = [0, 12, 24, 36, 48].map((hour) => hour * HOUR_MS);
    const candles = candlesOf([11, 9, 20, 20, 30], { high: [12, 11, 20, 20, 30], low: [10, 9, 20, 20, 30], time });
    const got = indicator(engine, 'pivot', candles);
    expectSeries(got['pivot']!, [N, N, 10, 10, 20]);
    expectSeries(got['r1']!, [N, N, 11, 11, 20]);
    expectSeries(got['s1']!, [N, N, 8, 8, 20]);
    expectSeries(got['r2']!, [N, N, 13, 13, 20]);
    expectSeries(got['s2']!, [N, N, 7, 7, 20]);
    expectSeries(got['r3']!, [N, N, 14, 14, 20]);
    expectSeries(got['s3']!, [N, N, 5, 5, 20]);
  });

  it('pivot points do not use a first day that was cut off', () => {
    const time = [12, 24, 48].map((hour) => hour * HOUR_MS);
    expectSeries(indicator(engine, 'pivot', candlesOf([1, 2, 3], { time }))['pivot']!, [N, N, 2]);
  });

  it('fibonacci levels appear only when both swings are confirmed', () => {
    // Low 100 at candle 1 is confirmed at candle 2; high 110 at candle 3 is confirmed at candle 4.
    const candles = candlesOf([102, 100, 105, 110, 108, 107]);
    const got = indicator(engine, 'fib', candles, { reach: 1 });
    expectSeries(got['swingHigh']!, [N, N, N, N, 110, 110]);
    expectSeries(got['swingLow']!, [N, N, N, N, 100, 100]);
    expectSeries(got['direction']!, [N, N, N, N, 1, 1]);
    expectSeries(got['level382']!, [N, N, N, N, 106.18, 106.18]);
    expectSeries(got['level618']!, [N, N, N, N, 103.82, 103.82]);
  });

  it('fibonacci keeps a leg when a later swing of the same side is not further out', () => {
    // Highs 110 (candle 3) and 108 (candle 5, after a dip that a wider reach would not see as a swing low below 100).
    const candles = candlesOf([102, 100, 105, 110, 107, 108, 106, 104, 103, 99, 101, 102]);
    const got = indicator(engine, 'fib', candles, { reach: 1 });
    expect(got['direction']!.at(-1)).toBe(-1);
    expect(got['swingHigh']!.at(-1)).toBe(108);
    expect(got['swingLow']!.at(-1)).toBe(99);
  });
});

describe('a session average', () => {
  it.each([1, 2, 3, 4])(
    'restarts at a last candle that opens a UTC day, after %i candles of the day before',
    (before) => {
      const time = Array.from({ length: before + 1 }, (_, i) => (24 - before + i) * HOUR_MS);
      const close = time.map((_, i) => 10 + i);
      const candles = candlesOf(close, { time, volume: close.map((price) => price) });
      const last = close.at(-1)!;
      expect(indicator(engine, 'vwap', candles)['vwap']!.at(-1)).toBe(last);
      const steps = close.map((_, i) => i + 1);
      expect(streamed(engine, 'vwap', candles, steps)['vwap']!.at(-1)).toBe(last);
      // The figure of the day before is the mean up to it, weighted by the volume (the close here).
      const day = close.slice(0, before);
      const mean = day.reduce((sum, x) => sum + x * x, 0) / day.reduce((sum, x) => sum + x, 0);
      expect(indicator(engine, 'vwap', candles)['vwap']![before - 1]).toBeCloseTo(mean, 12);
    },
  );
});
