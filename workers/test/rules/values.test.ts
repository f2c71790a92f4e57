import { candlesOf } from '@sextant/engine-as/test/candles.ts';
import { describe, expect, it } from 'vitest';
import { compileRules, exitsOf } from '../../src/rules/compileRules.ts';
import { parseRules } from '../../src/rules/parseRules.ts';
import { createProblems } from '../../src/rules/problems.ts';
import { interpretRules } from './reference/interpret.ts';

const none = Number.NaN;
/** Hourly candles from a Thursday midnight, 1 January 1970. */
const candles = candlesOf([3, 1, 4, 1, 5, 9], {
  high: [4, 2, 5, 2, 6, 10],
  low: [2, 0, 3, 0, 4, 8],
  volume: [1, 2, 3, 4, 5, 6],
});
const four = candlesOf([10, 20], { time: [-4 * 3_600_000, 0] });

/** The column of `expression` by the reference; a number is read as `(x) == x` would not be: through a named comparison. */
function columnOf(expression: string, isCondition: boolean): number[] {
  const text = isCondition ? `long when ${expression}` : `v = ${expression}\nlong when v > 0`;
  const compiled = compileRules(text, { interval: '1h' });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  const statements = parseRules(text, createProblems(text));
  const [first] = statements;
  const own =
    isCondition || first?.kind !== 'value'
      ? statements
      : [{ kind: 'condition', side: 'long', of: first.of!, at: first.at } as const];
  return interpretRules(own, { candles, interval: '1h', longer: { '4h': four } }).columns.long!;
}

/** Closes 3 1 4 1 5 9, highs one above, lows one below. Each row worked out by hand. */
const numbers: [expression: string, column: number[]][] = [
  ['close + 1', [4, 2, 5, 2, 6, 10]],
  ['close - open', [0, 0, 0, 0, 0, 0]],
  ['2 + 3 * close', [11, 5, 14, 5, 17, 29]],
  ['(2 + 3) * close', [15, 5, 20, 5, 25, 45]],
  ['12 / close', [4, 12, 3, 12, 2.4, 12 / 9]],
  ['1 / (close - 1)', [0.5, none, 1 / 3, none, 0.25, 0.125]],
  ['-close[1]', [none, -3, -1, -4, -1, -5]],
  ['close[0]', [3, 1, 4, 1, 5, 9]],
  ['hl2', [3, 1, 4, 1, 5, 9]],
  ['hlc3', [3, 1, 4, 1, 5, 9]],
  ['ohlc4', [3, 1, 4, 1, 5, 9]],
  ['volume', [1, 2, 3, 4, 5, 6]],
  ['hour', [1, 2, 3, 4, 5, 6]],
  ['weekday', [3, 3, 3, 3, 3, 3]],
  ['mark', [none, none, none, none, none, none]],
  ['abs(3 - close)', [0, 2, 1, 2, 2, 6]],
  ['min(close, 4)', [3, 1, 4, 1, 4, 4]],
  ['max(close, 4)', [4, 4, 4, 4, 5, 9]],
  ['sqrt(close - 1)', [Math.SQRT2, 0, Math.sqrt(3), 0, 2, Math.sqrt(8)]],
  ['sqrt(close - 4)', [none, none, 0, none, 1, Math.sqrt(5)]],
  ['floor(close / 2)', [1, 0, 2, 0, 2, 4]],
  ['ceil(close / 2)', [2, 1, 2, 1, 3, 5]],
  ['round(close / 2)', [2, 1, 2, 1, 3, 5]],
  ['round(-close / 2)', [-1, 0, -2, 0, -2, -4]],
  ['sign(close - 3)', [0, -1, 1, -1, 1, 1]],
  ['highest(close, 3)', [none, none, 4, 4, 5, 9]],
  ['lowest(close, 3)', [none, none, 1, 1, 1, 1]],
  ['change(close)', [none, -2, 3, -3, 4, 4]],
  ['change(close, 2)', [none, none, 1, 0, 1, 8]],
  ['sum(close, 3)', [none, none, 8, 6, 10, 15]],
  ['mean(close, 2)', [none, 2, 2.5, 2.5, 3, 7]],
  ['stdev(close, 2)', [none, 1, 1.5, 1.5, 2, 2]],
  ['percentrank(close, 2)', [none, none, 100, 50, 100, 100]],
  ['barssince(close > 3)', [none, none, 0, 1, 0, 0]],
  ['valuewhen(close > 3, high)', [none, none, 5, 5, 6, 10]],
  ['valuewhen(close > 3, high, 1)', [none, none, none, none, 5, 6]],
  ['nz(close[2], 7)', [7, 7, 3, 1, 4, 1]],
  ['nz(close[1])', [0, 3, 1, 4, 1, 5]],
  ['if(close > 3, high, low)', [2, 0, 5, 0, 6, 10]],
  ['if(close[1] > 3, 1, 2)', [none, 2, 2, 1, 2, 1]],
  ['sma(close, 2)', [none, 2, 2.5, 2.5, 3, 7]],
  ['sma(2)', [none, 2, 2.5, 2.5, 3, 7]],
  ['sma(volume, period = 2)', [none, 1.5, 2.5, 3.5, 4.5, 5.5]],
  ['sma(close[1], 2)', [none, none, 2, 2.5, 2.5, 3]],
  ['donchian(2).lower', [none, none, 0, 0, 0, 0]],
  ['macd(1, 2, 1).histogram', [none, 0, 0, 0, 0, 0]],
  ['4h(close)', [10, 10, 10, 20, 20, 20]],
  ['4h(close[1])', [none, none, none, 10, 10, 10]],
  ['4h(close)[1]', [none, 10, 10, 10, 20, 20]],
];

const conditions: [expression: string, column: number[]][] = [
  ['close < 4', [1, 1, 0, 1, 0, 0]],
  ['close <= 4', [1, 1, 1, 1, 0, 0]],
  ['close > 4', [0, 0, 0, 0, 1, 1]],
  ['close >= 4', [0, 0, 1, 0, 1, 1]],
  ['close == 1', [0, 1, 0, 1, 0, 0]],
  ['close != 1', [1, 0, 1, 0, 1, 1]],
  ['close in 3..5', [1, 0, 1, 0, 1, 0]],
  ['not close > 4', [1, 1, 1, 1, 0, 0]],
  ['close > 4 or close == 1 and volume > 2', [0, 0, 0, 1, 1, 1]],
  ['(close > 4 or close == 1) and volume > 4', [0, 0, 0, 0, 1, 1]],
  ['close[1] > 2 and close > 4', [0, 0, 0, 0, 0, 1]],
  ['close[1] > 2 and close < 4', [none, 1, 0, 1, 0, 0]],
  ['close[1] > 2 or close < 4', [1, 1, 0, 1, 0, 1]],
  ['not (close[1] > 2)', [none, 0, 1, 0, 1, 0]],
  ['crossover(close, 3)', [0, 0, 1, 0, 1, 0]],
  ['crossunder(close, 3)', [0, 1, 0, 1, 0, 0]],
  ['crossover(close, 2)', [none, 0, 1, 0, 1, 0]],
  ['crossover(close, 3)[1]', [none, 0, 0, 1, 0, 1]],
  ['rising(close, 2)', [none, none, 1, 0, 1, 1]],
  ['falling(close, 1)', [none, 1, 0, 1, 0, 0]],
  ['nz(close[1] > 2)', [0, 1, 0, 1, 0, 1]],
];

describe('meaning of own rules', () => {
  it.each(numbers)('RULE-001 %s is %j', (expression, column) => {
    // -0 and 0 are the same value.
    expect(columnOf(expression, false).map((value) => value + 0)).toEqual(column);
  });

  it.each(conditions)('RULE-002 %s is %j', (expression, column) => {
    expect(columnOf(expression, true)).toEqual(column);
  });

  it('RULE-002 long and short in one candle are neither', () => {
    const text = 'long when close > 3; short when close > 4; exit long when close == 1; exit short when close < 4';
    const statements = parseRules(text, createProblems(text));
    const { signal, exits } = interpretRules(statements, { candles, interval: '1h', longer: {} });
    expect(signal).toEqual([0, 0, 1, 0, 0, 0]);
    expect(exits).toEqual([2, 3, 0, 3, 0, 0]);
  });

  it('RULE-003 exits are those of a strategy, parameters included', () => {
    const text =
      's = 2 [1..3 step 1]; n = 10\nlong when close > open\nstop s %; target 3R; trail 1 % step 0.5 % after 2 %\nbreak even after 1R; hold n; on opposite reverse; risk 0.5 %';
    const result = compileRules(text);
    if (!result.ok) return expect.fail(JSON.stringify(result.error));
    const { setCount, parameters } = result.value;
    expect({ setCount, names: parameters.map(({ name, count }) => `${name} ${count}`) }).toEqual({
      setCount: 3,
      names: ['s 3', 'n 1'],
    });
    const expected = {
      direction: 'long',
      stop: { mode: 'percent', fraction: 0.02 },
      target: { mode: 'percent', fraction: 0.06 },
      trailing: { mode: 'percent', callbackFraction: 0.01, stepFraction: 0.005, activationFraction: 0.02 },
      breakEvenR: 1,
      holdingBarsMax: 10,
      onOpposite: 'reverse',
      sizing: { mode: 'risk', riskFraction: 0.005 },
    };
    expect(exitsOf(result.value)).toMatchObject(expected);
    expect(exitsOf(result.value, [3, 10])).toMatchObject({ stop: { fraction: 0.03 }, target: { fraction: 0.09 } });
  });

  it('RULE-003 a level in average true ranges, and the defaults of live signals', () => {
    const atr = compileRules('short when close > open\nstop 1.5 * atr(10); target 2 R; trail 3 * atr(10); size fixed');
    expect(atr.ok && exitsOf(atr.value)).toMatchObject({
      direction: 'short',
      stop: { mode: 'atr', multiple: 1.5 },
      target: { mode: 'atr', multiple: 3 },
      atrPeriod: 10,
      trailing: { mode: 'atr', atrMultiple: 3 },
      sizing: { mode: 'fixed' },
    });
    const plain = compileRules('long when close > open');
    expect(plain.ok && exitsOf(plain.value)).toMatchObject({
      stop: { multiple: 2 },
      target: { multiple: 4 },
      atrPeriod: 14,
    });
  });
});
