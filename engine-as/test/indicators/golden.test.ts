import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Parameters } from '../../abi/registryTypes.ts';
import { type Columns, flatMarket, goldenWalk } from '../candles.ts';
import { indicator, loadEngine } from '../support.ts';
import { readTalibVectors, type TalibVector } from '../vectors/talibVectors.ts';

/** TA-Lib's name and output, to ours. */
const ours: Record<string, [id: string, params: Parameters, output: string]> = {
  'SMA(20) close': ['sma', { period: 20 }, 'sma'],
  'SMA(50) close': ['sma', { period: 50 }, 'sma'],
  'EMA(12) close': ['ema', { period: 12 }, 'ema'],
  'EMA(26) close': ['ema', { period: 26 }, 'ema'],
  'EMA(50) close': ['ema', { period: 50 }, 'ema'],
  'EMA(200) close': ['ema', { period: 200 }, 'ema'],
  'RSI(14) close': ['rsi', {}, 'rsi'],
  'MACD(12,26,9) macd': ['macd', {}, 'macd'],
  'MACD(12,26,9) signal': ['macd', {}, 'signal'],
  'MACD(12,26,9) hist': ['macd', {}, 'histogram'],
  'BBANDS(20,2,2,SMA) upper': ['boll', {}, 'upper'],
  'BBANDS(20,2,2,SMA) middle': ['boll', {}, 'middle'],
  'BBANDS(20,2,2,SMA) lower': ['boll', {}, 'lower'],
  'ATR(14) atr': ['atr', {}, 'atr'],
  'ATR(10) atr': ['atr', { period: 10 }, 'atr'],
  'ADX(14) adx': ['adx', {}, 'adx'],
  'PLUS_DI(14) pdi': ['adx', {}, 'plusDi'],
  'MINUS_DI(14) mdi': ['adx', {}, 'minusDi'],
  'MFI(14) mfi': ['mfi', {}, 'mfi'],
  'OBV obv': ['obv', {}, 'obv'],
  'CCI(20) cci': ['cci', {}, 'cci'],
  'STOCH(RSI(14),14,3,3) k': ['stochrsi', {}, 'k'],
  'STOCH(RSI(14),14,3,3) d': ['stochrsi', {}, 'd'],
  // TA-Lib's extremes include the current candle; ours end one before it.
  'MAX(20) high': ['donchian', {}, 'upper'],
  'MIN(20) low': ['donchian', {}, 'lower'],
};

/** In a frozen market, where these are undefined, TA-Lib returns 0, which reads as oversold; the engine returns the midpoint. */
const neutral: Record<string, number> = { rsi: 50, mfi: 50, k: 50, d: 50 };

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

function compare(vector: TalibVector, candles: Columns, isFlat: boolean): void {
  const [id, params, output] = ours[`${vector.id} ${vector.output}`]!;
  const series = indicator(engine, id, candles, params)[output]!;
  const shift = id === 'donchian' ? 1 : 0;
  for (const [index, value] of Object.entries(vector.values)) {
    const i = Number(index) + shift;
    if (i >= series.length) continue;
    const want = isFlat ? (neutral[output] ?? value) : value;
    const error = Math.abs(series[i]! - want);
    expect(error, `${vector.id} ${vector.output}[${i}] is ${series[i]}, want ${want}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(want)),
    );
  }
}

describe('vectors computed with TA-Lib', () => {
  const known = (input: string) =>
    readTalibVectors()
      .filter((vector) => vector.input === input)
      .map((vector) => [`${vector.id} ${vector.output}`, vector] as const);

  it('cover every series this table names', () => {
    for (const input of ['walk', 'flat'])
      expect(
        known(input)
          .map(([name]) => name)
          .sort(),
      ).toEqual(Object.keys(ours).sort());
  });

  it.each(known('walk'))('%s agrees on the walk', (_, vector) => compare(vector, goldenWalk(1000), false));
  it.each(known('flat'))('%s agrees on a market that stands still', (_, vector) =>
    compare(vector, flatMarket(1000), true),
  );
});
