import * as kinds from '@sextant/engine-as/abi/indicatorKinds.ts';
import { readTalibVectors } from '../../../engine-as/test/vectors/talibVectors.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { describe, expect, it } from 'vitest';
import { candleWalk } from '../../data/candles.ts';
import { indicatorTwin } from '../../src/twins/indicators.ts';

const HOUR = 3_600_000;

/** Candles from closes alone: no range, volume 1, hourly from a UTC midnight. */
function flatCandles(closes: readonly number[]): Candles {
  const column = (): Float64Array => Float64Array.from(closes);
  return {
    time: Float64Array.from(closes, (_, i) => i * HOUR),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: new Float64Array(closes.length).fill(1),
  };
}

function run(kind: number, params: number[], candles: Candles, outputCount = 1): number[][] {
  const column = (): Float64Array => new Float64Array(candles.close.length);
  const outputs = Array.from({ length: outputCount }, column);
  indicatorTwin(kind)(candles, params, outputs, [column(), column(), column()]);
  return outputs.map((output) => Array.from(output));
}

const closeTo = (actual: number[], expected: number[], digits = 9): void => {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    if (Number.isNaN(expected[i])) expect(value, `candle ${i}`).toBeNaN();
    else expect(value, `candle ${i}`).toBeCloseTo(expected[i]!, digits);
  });
};

describe('the TypeScript twins against values worked out by hand', () => {
  it('SMA', () => closeTo(run(kinds.KIND_SMA, [2], flatCandles([1, 2, 4, 8]))[0]!, [NaN, 1.5, 3, 6]));

  it('EMA: seed 1.5, then two thirds of the way to the close', () =>
    closeTo(run(kinds.KIND_EMA, [2], flatCandles([1, 2, 4.5, 3.5]))[0]!, [NaN, 1.5, 3.5, 3.5]));

  it('RSI: changes +1 -1 +2, so 50, then gain 1.25 against loss 0.25', () =>
    closeTo(run(kinds.KIND_RSI, [2], flatCandles([10, 11, 10, 12]))[0]!, [NaN, NaN, 50, 250 / 3]));

  it('RSI reads 50 when nothing moves', () =>
    closeTo(run(kinds.KIND_RSI, [2], flatCandles([5, 5, 5, 5]))[0]!, [NaN, NaN, 50, 50]));

  it('MACD 1, 2, 1: the line is its own signal', () => {
    const [line, signal, histogram] = run(kinds.KIND_MACD, [1, 2, 1], flatCandles([1, 2, 4.5]), 3);
    closeTo(line!, [NaN, 0.5, 1]);
    closeTo(signal!, [NaN, 0.5, 1]);
    closeTo(histogram!, [NaN, 0, 0]);
  });

  it('Bollinger: population deviation of 1 and 3 is 1', () => {
    const [upper, middle, lower] = run(kinds.KIND_BOLL, [2, 2], flatCandles([1, 3, 3]), 3);
    closeTo(upper!, [NaN, 4, 3]);
    closeTo(middle!, [NaN, 2, 3]);
    closeTo(lower!, [NaN, 0, 3]);
  });

  it('ATR: ranges are the distance from the close before', () =>
    closeTo(run(kinds.KIND_ATR, [2], flatCandles([1, 2, 4, 4]))[0]!, [NaN, NaN, 1.5, 0.75]));

  it('OBV starts at the first volume and ignores an unchanged close', () =>
    closeTo(run(kinds.KIND_OBV, [], flatCandles([1, 2, 2, 1, 0]))[0]!, [1, 2, 2, 1, 0]));

  it('Donchian leaves out the current candle', () => {
    const [upper, lower] = run(kinds.KIND_DONCHIAN, [2], flatCandles([1, 3, 9, 2]), 2);
    closeTo(upper!, [NaN, NaN, 3, 9]);
    closeTo(lower!, [NaN, NaN, 1, 3]);
  });

  it('CCI: the last of 1, 2, 6 is 3 above a mean of 3 with mean deviation 2', () =>
    closeTo(run(kinds.KIND_CCI, [3], flatCandles([1, 2, 6]))[0]!, [NaN, NaN, 3 / (0.015 * 2)]));

  it('session VWAP starts again at midnight UTC', () => {
    const closes = Array.from({ length: 26 }, (_, i) => i);
    const [out] = run(kinds.KIND_VWAP, [0], flatCandles(closes));
    expect(out![23]).toBeCloseTo(11.5, 12);
    expect(out![24]).toBe(24);
    expect(out![25]).toBe(24.5);
  });

  it('pivots come from the whole day before', () => {
    const closes = Array.from({ length: 25 }, (_, i) => (i < 24 ? 10 + (i % 3) : 0));
    const [middle, r1, s1] = run(kinds.KIND_PIVOT, [], flatCandles(closes), 7);
    expect(middle![23]).toBeNaN();
    expect(middle![24]).toBe(34 / 3); // high 12, low 10, close 12
    expect(r1![24]).toBeCloseTo(68 / 3 - 10, 12);
    expect(s1![24]).toBeCloseTo(68 / 3 - 12, 12);
  });

  it('Fibonacci levels appear when both swings are confirmed', () => {
    const [top, bottom, direction, level236] = run(kinds.KIND_FIB, [1], flatCandles([5, 1, 9, 4]), 8);
    expect(top).toEqual([NaN, NaN, NaN, 9]);
    expect(bottom).toEqual([NaN, NaN, NaN, 1]);
    expect(direction).toEqual([NaN, NaN, NaN, 1]);
    expect(level236![3]).toBeCloseTo(9 - 0.236 * 8, 12);
  });

  it('supertrend turns when the close crosses the line', () => {
    const closes = [10, 11, 12, 13, 14, 15, 9];
    const [line, direction] = run(kinds.KIND_SUPERTREND, [2, 1], flatCandles(closes), 2);
    closeTo(direction!, [NaN, NaN, 1, 1, 1, 1, -1]);
    closeTo(line!, [NaN, NaN, 11, 12, 13, 14, 9 + (1 + 6) / 2]);
  });

  it('ichimoku spans are those of displacement - 1 candles earlier', () => {
    const [tenkan, kijun, spanA, spanB] = run(kinds.KIND_ICHIMOKU, [1, 2, 2, 2], flatCandles([2, 4, 8, 8]), 4);
    closeTo(tenkan!, [2, 4, 8, 8]);
    closeTo(kijun!, [NaN, 3, 6, 8]);
    closeTo(spanA!, [NaN, NaN, 3.5, 7]);
    closeTo(spanB!, [NaN, NaN, 3, 6]);
  });
});

describe('the TypeScript twins against TA-Lib', () => {
  const vectors = readTalibVectors().filter(({ input }) => input === 'walk');
  const rows: [id: string, output: string, kind: number, params: number[], plane: number][] = [
    ['SMA(20)', 'close', kinds.KIND_SMA, [20], 0],
    ['EMA(50)', 'close', kinds.KIND_EMA, [50], 0],
    ['RSI(14)', 'close', kinds.KIND_RSI, [14], 0],
    ['MACD(12,26,9)', 'macd', kinds.KIND_MACD, [12, 26, 9], 0],
    ['MACD(12,26,9)', 'signal', kinds.KIND_MACD, [12, 26, 9], 1],
    ['MACD(12,26,9)', 'hist', kinds.KIND_MACD, [12, 26, 9], 2],
    ['BBANDS(20,2,2,SMA)', 'upper', kinds.KIND_BOLL, [20, 2], 0],
    ['BBANDS(20,2,2,SMA)', 'lower', kinds.KIND_BOLL, [20, 2], 2],
    ['ATR(14)', 'atr', kinds.KIND_ATR, [14], 0],
    ['ADX(14)', 'adx', kinds.KIND_ADX, [14], 0],
    ['PLUS_DI(14)', 'pdi', kinds.KIND_ADX, [14], 1],
    ['MINUS_DI(14)', 'mdi', kinds.KIND_ADX, [14], 2],
    ['MFI(14)', 'mfi', kinds.KIND_MFI, [14], 0],
    ['OBV', 'obv', kinds.KIND_OBV, [], 0],
    ['CCI(20)', 'cci', kinds.KIND_CCI, [20], 0],
    ['STOCH(RSI(14),14,3,3)', 'k', kinds.KIND_STOCHRSI, [14, 14, 3, 3], 0],
    ['STOCH(RSI(14),14,3,3)', 'd', kinds.KIND_STOCHRSI, [14, 14, 3, 3], 1],
  ];

  it.each(rows)('%s %s', (id, output, kind, params, plane) => {
    const vector = vectors.find((entry) => entry.id === id && entry.output === output)!;
    const values = run(kind, params, candleWalk(1000, 12345), 3)[plane]!;
    // TA-Lib holds k back until d exists; ours shows it when it is known.
    const start = kind === kinds.KIND_STOCHRSI && plane === 0 ? vector.begin - 2 : vector.begin;
    expect(values.findIndex((value) => !Number.isNaN(value))).toBe(start);
    for (const [index, expected] of Object.entries(vector.values)) {
      const error = Math.abs(values[Number(index)]! - expected);
      expect(error, `candle ${index}`).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
    }
  });
});
