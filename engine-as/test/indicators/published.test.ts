import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, goldenWalk } from '../candles.ts';
import { expectSeries, indicator, loadEngine } from '../support.ts';
import { talibVectors } from '../vectors/talib.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe('another implementation', () => {
  const candles = goldenWalk(1000);
  it.each(talibVectors)('TA-Lib agrees on %s %o %s at candle %i', (id, params, output, i, want) => {
    const got = indicator(engine, id, candles, params)[output]![i]!;
    expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(want)));
  });
});

describe('published examples', () => {
  it('rsi gives the 14-period example of StockCharts', () => {
    // StockCharts ChartSchool, Relative Strength Index. Prices there are printed to cents, hence the tolerance.
    const close = [
      ...[44.34, 44.09, 44.15, 43.61, 44.33, 44.83, 45.1, 45.42, 45.84, 46.08],
      ...[45.89, 46.03, 45.61, 46.28, 46.28, 46.0, 46.03, 46.41, 46.22, 45.64],
    ];
    const want = [70.53, 66.32, 66.55, 69.41, 66.36, 57.97];
    expectSeries(indicator(engine, 'rsi', candlesOf(close))['rsi']!.slice(14), want, { tolerance: 0.15, scale: 1 });
  });

  it('ema and sma give the 10-period example of StockCharts', () => {
    // StockCharts ChartSchool, Moving Averages: Simple and Exponential (Intel, 2010), printed to cents.
    const close = [
      ...[22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29],
      ...[22.15, 22.39, 22.38, 22.61, 23.36, 24.05, 23.75, 23.83, 23.95, 23.63],
    ];
    const simple = [22.22, 22.21, 22.23, 22.26, 22.31, 22.42, 22.61, 22.77, 22.91, 23.08, 23.21];
    const exponential = [22.22, 22.21, 22.24, 22.27, 22.33, 22.52, 22.8, 22.97, 23.13, 23.28, 23.34];
    const candles = candlesOf(close);
    const printed = { tolerance: 0.011 / 22 }; // the closes are printed to cents as well
    expectSeries(indicator(engine, 'sma', candles, { period: 10 })['sma']!.slice(9), simple, printed);
    expectSeries(indicator(engine, 'ema', candles, { period: 10 })['ema']!.slice(9), exponential, printed);
  });
});
