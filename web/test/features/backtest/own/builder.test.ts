import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import { describe, expect, it } from 'vitest';
import {
  changedText,
  newRow,
  readBuilder,
  type Row,
  withBack,
  withInterval,
  withSign,
  writeBuilder,
} from '../../../../src/features/backtest/own/builder/builder.ts';
import {
  boundsInOrder,
  fitsField,
  newRange,
  numberStep,
} from '../../../../src/features/backtest/own/builder/ranges.ts';

function read(text: string) {
  const rules = readBuilder(text);
  if (!rules.ok) throw new Error(rules.error);
  return rules.value;
}
function programOf(text: string) {
  const compiled = compileRules(text, { interval: '1h' });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  const { program, exits, parameters } = compiled.value;
  return { program, exits, parameters };
}

/** That of docs/rules.md. */
const documented = `fast = 12 [5..50 step 1]; slow = 26 [20..200 step 2]
long when crossover(ema(close, fast), ema(close, slow)) and rsi(14) < 70 and 4h(close > ema(close, 200))
short when crossunder(ema(close, fast), ema(close, slow)) and hour in 8..20
exit long when close < ema(close, slow)
stop 2 * atr(14); target 3R; risk 1 %`;

const simple = [
  documented,
  'long when rsi < 30',
  'long when rsi(14) < 30 and close > ema(close, 200); stop 2 * atr(14); target 3R; risk 1 %',
  'short when crossunder(ema(hl2, 12), sma(26)) or macd(12, 26, 9).signal > -1.5\nexit short when close >= boll(width = 2.5).upper',
  `fast = 12 [5..50 step 1]; slow = 2
trend = close - ema(close, slow)
long when crossover(ema(close, fast), ema(close, slow)) and trend > 0
exit long when trend < 0
stop 2 %; target slow R; trail 1 % step 0.2 % after 2 %; hold 24; on opposite exit; break even after 1R`,
];

describe('the builder', () => {
  it.each(simple)('RULE-033 reads and writes `%s` without another program', (text) => {
    const written = writeBuilder(read(text));
    expect(programOf(written)).toEqual(programOf(text));
    expect(writeBuilder(read(written))).toBe(written);
  });

  it('RULE-033 has a row per condition, joined one way', () => {
    const { groups, stop, target, size } = read(
      'long when rsi(14) < 30 and close > ema(close, 200); stop 2 * atr(14); target 3R; risk 1 %',
    );
    expect(groups).toEqual({
      long: {
        join: 'and',
        rows: [
          { left: { kind: 'indicator', id: 'rsi', values: ['14'] }, sign: '<', right: { kind: 'number', value: '30' } },
          {
            left: { kind: 'name', name: 'close' },
            sign: '>',
            right: { kind: 'indicator', id: 'ema', source: 'close', values: ['200'] },
          },
        ],
      },
    });
    expect([stop, target, size]).toEqual([
      { unit: 'atr', amount: '2', period: '14' },
      { unit: 'R', amount: '3' },
      { by: 'risk', share: '1' },
    ]);
  });

  it.each([
    'long when close > close[1]',
    'back = 3 [1..10 step 1]\nlong when macd(12, 26, 9).signal[2] < macd[back] and crossover(rsi(14), rsi(14)[1])',
    'trend = close - ema(close, 20)\nshort when 4h(trend[1] > 0) and hour[1] in 8..20',
  ])('RULE-095 reads and writes `%s`, a series so many candles ago, without another program', (text) => {
    const written = writeBuilder(read(text));
    expect(programOf(written)).toEqual(programOf(text));
    expect(writeBuilder(read(written))).toBe(written);
  });

  it('RULE-095 sets and removes the candles ago of a row', () => {
    const [row] = read('long when close > ema(close, 50)[2]').groups.long?.rows ?? [];
    expect(row?.right).toEqual({ kind: 'indicator', id: 'ema', source: 'close', values: ['50'], back: '2' });
    const textOf = (left: Row['left']) =>
      writeBuilder({ definitions: [], groups: { long: { join: 'and', rows: [{ ...newRow(), left }] } } });
    const close = newRow().left;
    expect(textOf(withBack(close, '3'))).toBe('long when close[3] > ema(close, 50)');
    expect(textOf(withBack(withBack(close, '3'), '0'))).toBe('long when close > ema(close, 50)');
    expect(withBack({ kind: 'number', value: '5' }, '2')).toEqual({ kind: 'number', value: '5' });
  });

  it.each([
    ['long when close > 1 # a note', 'The text has comments, which rows would lose.'],
    ['long when close >', 'Fix the errors of the text first.'],
    ['long when 4h(close > 1 and close < 9)', 'Rows cannot show close > 1 and close < 9: edit the text instead.'],
    ['long when close > 4h(close)', 'Rows cannot show 4h(close): edit the text instead.'],
    ['long when close > close[1][2]', 'Rows cannot show close[1][2]: edit the text instead.'],
    ['long when close > (open + close)[1]', 'Rows cannot show (open + close)[1]: edit the text instead.'],
    ['long when close > close[1 + 1]', 'Rows cannot show 1 + 1: edit the text instead.'],
    ['long when a > 1 and (b > 1 or c > 1)', 'Rows cannot show (b > 1 or c > 1): edit the text instead.'],
    ['long when close + 1 > open', 'Rows cannot show close + 1: edit the text instead.'],
  ])('RULE-033 says why it cannot show `%s`', (text, reason) => {
    expect(readBuilder(text)).toEqual({ ok: false, error: reason });
  });

  it('RULE-033 a row changes its comparison and its candles', () => {
    const between = withSign(newRow(), 'in');
    const textOf = (row: Row) => writeBuilder({ definitions: [], groups: { long: { join: 'and', rows: [row] } } });
    expect(textOf(between)).toBe('long when close in 8..20');
    expect(textOf(withInterval(between, '4h'))).toBe('long when 4h(close in 8..20)');
    expect(textOf(withInterval(withInterval(between, '4h'), undefined))).toBe('long when close in 8..20');
    expect(textOf(withSign(between, 'crossover'))).toBe('long when crossover(close, 8)');
  });

  it('RULE-033 a first row makes rules that compile', () => {
    const text = writeBuilder({ definitions: [], groups: { long: { join: 'and', rows: [newRow()] } } });
    expect(text).toBe('long when close > ema(close, 50)');
    expect(programOf(text).parameters).toEqual([]);
  });

  it('RULE-199 reads the named numbers of a text', () => {
    expect(read(documented).parameters).toEqual([
      { name: 'fast', value: 12, range: { from: 5, to: 50, step: 1 } },
      { name: 'slow', value: 26, range: { from: 20, to: 200, step: 2 } },
    ]);
    expect(read('n = 12; long when rsi(n) < 30').parameters).toEqual([{ name: 'n', value: 12 }]);
  });

  const period = { min: 1, max: 1000, step: 1 };
  const distance = { min: 0.1, max: 100, step: 0.1 };
  it.each([
    // A tenth of the number a step: five below, ten above.
    ['ema_period', 12, period, [], 'ema_period', 'ema_period = 12 [7..22 step 1]'],
    ['ema_period', 50, period, ['ema_period'], 'ema_period2', 'ema_period2 = 50 [25..100 step 5]'],
    ['ema_period', 50, period, ['ema_period', 'ema_period2'], 'ema_period3', 'ema_period3 = 50 [25..100 step 5]'],
    // As far as the field goes.
    ['n', 3, period, [], 'n', 'n = 3 [1..13 step 1]'],
    ['n', 1000, period, [], 'n', 'n = 1000 [500..1000 step 100]'],
    ['stop_distance', 2, distance, [], 'stop_distance', 'stop_distance = 2 [1..4 step 0.2]'],
    ['level', -30, { min: -1e9, max: 1e9, step: 1 }, [], 'level', 'level = -30 [-45..0 step 3]'],
  ] as const)('RULE-199 gives %s %d a range about it', (wanted, value, bounds, taken, name, definition) => {
    expect(newRange(wanted, value, bounds, { names: taken, parameters: [] })).toEqual({ name, definition });
    const text = `${definition}\nlong when close > close[1] and volume > ${name}`;
    expect(programOf(text).parameters.map((each) => each.name)).toEqual([name]);
  });

  /** A text with ranges of so many values each. */
  const withRanges = (counts: readonly number[]) =>
    [...counts.map((count, i) => `n${i} = 1 [1..${count} step 1]`), 'long when close > 1'].join('\n');
  const rangeOf50 = (text: string) => {
    const { definitions, parameters } = read(text);
    return newRange('ema_period', 50, period, { names: [], parameters })?.definition ?? definitions.length;
  };

  it.each([
    // 16 ** 4 = 65,536 sets leave 15 values, 16 ** 3 * 61 = 249,856 leave 4, 16 ** 4 * 5 = 327,680 leave 3.
    [[16, 16, 16], 'ema_period = 50 [25..100 step 5]'],
    [[16, 16, 16, 16], 'ema_period = 50 [30..100 step 10]'],
    [[16, 16, 16, 61], 'ema_period = 50 [30..90 step 20]'],
    [[16, 16, 16, 16, 5], 'ema_period = 50 [50..80 step 30]'],
    [[2, 2, 2, 2, 2, 2, 2], 'ema_period = 50 [25..100 step 5]'],
  ])('RULE-199 a new range beside ranges of %j values stays within the sets of a search', (counts, definition) => {
    const text = withRanges(counts);
    expect(rangeOf50(text)).toBe(definition);
    expect(programOf(`${definition}\n${text} and close > ema(close, ema_period)`).parameters.length).toBe(
      counts.length + 1,
    );
  });

  it('RULE-208 the room for a new range counts a value beside the grid', () => {
    const textOf = (value: number) =>
      `n = ${value} [2..2000 step 2]; m = 1 [1..500 step 1]\nlong when ema(close, m) > ema(close, n)`;
    // 1,000 times 500 leaves two values; 1,001 times 500 leaves one, which is no range.
    expect(rangeOf50(textOf(4))).toBe('ema_period = 50 [50..80 step 30]');
    expect(rangeOf50(textOf(3))).toBe(2);
  });

  it.each([[[16, 16, 16, 16, 8]], [[1000, 501]], [[2, 2, 2, 2, 2, 2, 2, 2]]])(
    'RULE-199 has no new range beside ranges of %j values',
    (counts) => {
      expect(rangeOf50(withRanges(counts))).toBe(counts.length);
    },
  );

  it('RULE-199 has no new range in a field with room for one value, nor for one outside of it', () => {
    expect(newRange('n', 5, { min: 5, max: 5, step: 1 }, { names: [], parameters: [] })).toBeUndefined();
    for (const outside of [4, 10, NaN])
      expect(newRange('n', outside, { min: 5, max: 9, step: 1 }, { names: [], parameters: [] })).toBeUndefined();
  });

  const ranged = 'ema_period = 50 [25..100 step 5]';
  const withPeriod = (row: Row, value: string): Row => ({
    ...row,
    right: { kind: 'indicator', id: 'ema', source: 'close', values: [value] },
  });

  it('RULE-199 New range, Number, New range leaves one range', () => {
    const of = (value: string) => ({ groups: { long: { join: 'and' as const, rows: [withPeriod(newRow(), value)] } } });
    const first = changedText(read('long when close > ema(close, 50)'), of('ema_period'), ranged);
    expect(first).toBe(`${ranged}\nlong when close > ema(close, ema_period)`);
    const number = changedText(read(first), of('50'));
    expect(number).toBe('long when close > ema(close, 50)');
    expect(changedText(read(number), of('ema_period'), ranged)).toBe(first);
  });

  it.each([
    // The last use goes with its row.
    ['a = 2 [1..4 step 1]\nlong when close > ema(close, a)', 'long when close > open'],
    // Used elsewhere: in another row, a stop, a line with a name, another exit.
    ...[
      'short when close < ema(close, a)',
      'exit short when a > 1',
      'short when close[a] > open',
      'stop a %',
      'stop 2 * atr(a)',
      'target a R',
      'risk a %',
      'hold a',
      'hold a\non opposite exit',
      'trail 1 % after a %',
      'break even after a R',
    ].map((other) => [
      `a = 2 [1..4 step 1]\nlong when close > ema(close, a)\n${other}`,
      `a = 2 [1..4 step 1]\nlong when close > open\n${other}`,
    ]),
    [
      'a = 2 [1..4 step 1]\nb = close * a\nlong when close > ema(close, a)',
      'a = 2 [1..4 step 1]\nb = close * a\nlong when close > open',
    ],
    // No range, and not used before either: they stay.
    [
      'a = 2\nc = 3 [1..4 step 1]\nlong when close > ema(close, a)',
      'a = 2\nc = 3 [1..4 step 1]\nlong when close > open',
    ],
  ])('RULE-199 a change of a row makes `%s` into `%s`', (before, after) => {
    const row: Row = { ...newRow(), right: { kind: 'name', name: 'open' } };
    const rules = read(before);
    expect(changedText(rules, { groups: { ...rules.groups, long: { join: 'and', rows: [row] } } })).toBe(after);
  });

  it.each([
    // MACD fast < slow: the fast length ends one below 26, the slow one starts one above 12.
    ['', ['12', '26', '9'], 0, { min: 1, max: 25 }],
    ['', ['12', '26', '9'], 1, { min: 13, max: 1000 }],
    // No rule about the signal.
    ['', ['12', '26', '9'], 2, { min: 1, max: 1000 }],
    // All values of a range beside it.
    ['slow = 26 [20..60 step 2]', ['12', 'slow', '9'], 0, { min: 1, max: 19 }],
    ['fast = 12 [7..22 step 1]', ['fast', '26', '9'], 1, { min: 23, max: 1000 }],
    // A name that is no number says nothing.
    ['n = 2 * 13', ['12', 'n', '9'], 0, { min: 1, max: 1000 }],
    // Broken already.
    ['', ['30', '26', '9'], 0, { min: 1, max: 25 }],
    ['slow = 26 [1..60 step 1]', ['12', 'slow', '9'], 0, { min: 1, max: 0 }],
  ] as const)('RULE-199 beside `%s`, macd(%j) leaves value %i %j', (line, values, i, bounds) => {
    const { parameters } = read(`${line}\nlong when close > open`);
    expect(boundsInOrder('macd', values, i, parameters)).toEqual(bounds);
  });

  it.each([
    [['20', '26', '9'], 0, 'fast = 20 [10..24 step 2]', 'macd(fast, 26, 9)'],
    [['12', '16', '9'], 1, 'slow = 16 [13..26 step 1]', 'macd(12, slow, 9)'],
    [['fast', '26', '9'], 1, 'fast = 20 [10..24 step 2]\nslow = 26 [26..46 step 2]', 'macd(fast, slow, 9)'],
  ] as const)('RULE-199 a new range of macd(%j) at %i compiles', (values, i, definitions, call) => {
    const lines = definitions.split('\n');
    const { parameters } = read([...lines.slice(0, -1), 'long when close > open'].join('\n'));
    const bounds = { ...boundsInOrder('macd', values, i, parameters), step: 1 };
    const made = newRange(i === 0 ? 'fast' : 'slow', Number(values[i]), bounds, { names: [], parameters });
    expect(made?.definition).toBe(lines.at(-1));
    expect(programOf(`${definitions}\nlong when ${call} > 0`).parameters.length).toBe(lines.length);
  });

  it.each([
    ['0.0005', false, 0.00001, 'level = 0.0005 [0.00025..0.001 step 0.00005]'],
    ['-0.0001', false, 0.00001, 'level = -0.0001 [-0.00015..0 step 0.00001]'],
    ['0.3', false, 0.01, 'level = 0.3 [0.15..0.6 step 0.03]'],
    ['1', false, 0.1, 'level = 1 [0.5..2 step 0.1]'],
    ['30', false, 1, 'level = 30 [15..60 step 3]'],
    ['64000', false, 1, 'level = 64000 [32000..128000 step 6400]'],
    ['0', false, 1, 'level = 0 [-5..10 step 1]'],
    // Finer than the field shows.
    ['0.000002', false, 0.000001, 'level = 0.000002 [-0.000003..0.000012 step 0.000001]'],
    // Beside an hour or a weekday.
    ['8', true, 1, 'level = 8 [3..18 step 1]'],
  ] as const)('RULE-199 the number %s (whole: %s) has a step of %d', (text, isWhole, step, definition) => {
    const value = Number(text);
    expect(numberStep(value, isWhole)).toBe(step);
    const made = newRange('level', value, { min: -1e9, max: 1e9, step }, { names: [], parameters: [] });
    expect(made?.definition).toBe(definition);
    expect(programOf(`${definition}\nlong when funding > level`).parameters.map((each) => each.name)).toEqual([
      'level',
    ]);
  });

  it.each([
    ['n = 12 [7..22 step 1]', { min: 1, max: 1000, decimals: 0 }, true],
    ['n = 12', { min: 1, max: 1000, decimals: 0 }, true],
    // Some value is outside.
    ['n = 12 [7..22 step 1]', { min: 8, max: 1000, decimals: 0 }, false],
    ['n = 12 [7..22 step 1]', { min: 1, max: 21, decimals: 0 }, false],
    ['n = 0.5', { min: 1, max: 1000, decimals: 4 }, false],
    ['n = -30 [-45..0 step 3]', { min: 1, max: 1000, decimals: 0 }, false],
    // A part of a candle.
    ['n = 2 [1..4 step 0.2]', { min: 1, max: 1000, decimals: 0 }, false],
    ['n = 2.5', { min: 1, max: 1000, decimals: 0 }, false],
    ['n = 2 [1..4 step 0.2]', { min: 0.1, max: 100, decimals: 2 }, true],
  ])('RULE-199 `%s` fits a field of %j: %s', (line, bounds, fits) => {
    const [parameter] = read(`${line}\nlong when close > open`).parameters;
    expect(parameter && fitsField(parameter, bounds)).toBe(fits);
  });
});
