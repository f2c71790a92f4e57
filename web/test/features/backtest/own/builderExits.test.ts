import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import { describe, expect, it } from 'vitest';
import { changedText, readBuilder, writeBuilder } from '../../../../src/features/backtest/own/builder/builder.ts';
import { exitPeriod, withLevelUnit, withPeriod } from '../../../../src/features/backtest/own/builder/exits.ts';
import { rowProblems } from '../../../../src/features/backtest/own/builder/rowProblems.ts';

function read(text: string) {
  const rules = readBuilder(text);
  if (!rules.ok) throw new Error(rules.error);
  return rules.value;
}
function exitsOf(text: string) {
  const compiled = compileRules(text, { interval: '1h' });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return compiled.value.exits;
}

const entry = 'long when close > open';

describe('exits of the builder', () => {
  it.each([
    ['trail 1 % step 0.2 % after 2 %', { trail: { unit: '%', amount: '1', step: '0.2', after: '2' } }],
    ['trail 2 * atr(14)', { trail: { unit: 'atr', amount: '2', period: '14' } }],
    ['trail 2 * atr(14) after 1.5 %', { trail: { unit: 'atr', amount: '2', period: '14', after: '1.5' } }],
    ['break even after 1R', { breakEven: '1' }],
    ['hold 24', { hold: '24' }],
    ['on opposite reverse', { opposite: 'reverse' }],
    ['on opposite hold', { opposite: 'hold' }],
    ['risk 0.5 %', { size: { by: 'risk', share: '0.5' } }],
    ['size fixed', { size: { by: 'fixed' } }],
    ['n = 3 [1..9 step 1]\nbreak even after n R', { breakEven: 'n' }],
    ['n = 3 [1..9 step 1]\nhold n', { hold: 'n' }],
    ['n = 3 [1..9 step 1]\ntrail n % step n % after n %', { trail: { unit: '%', amount: 'n', step: 'n', after: 'n' } }],
  ])('RULE-201 reads `%s` as a row and writes it again', (line, rows) => {
    const text = line.includes('\n') ? line.replace('\n', `\n${entry}\n`) : `${entry}\n${line}`;
    const rules = read(text);
    expect(rules).toMatchObject(rows);
    expect(writeBuilder(rules)).toBe(text);
    expect(exitsOf(writeBuilder(rules))).toEqual(exitsOf(text));
  });

  it('RULE-201 rows without a value write nothing', () => {
    const full = read(
      `${entry}\nstop 2 %\ntarget 3R\ntrail 1 %\nbreak even after 1R\nhold 24\non opposite exit\nsize fixed`,
    );
    const none = {
      stop: undefined,
      target: undefined,
      trail: undefined,
      breakEven: undefined,
      hold: undefined,
      opposite: undefined,
      size: undefined,
    };
    expect(changedText(full, none)).toBe(entry);
  });

  it('RULE-201 changes of the rows are those of the exits', () => {
    const text = changedText(read(entry), {
      trail: { unit: '%', amount: '1.5', after: '2' },
      breakEven: '0.5',
      hold: '12',
      opposite: 'exit',
    });
    expect(text).toBe(`${entry}\ntrail 1.5 % after 2 %\nbreak even after 0.5R\nhold 12\non opposite exit`);
    expect(exitsOf(text)).toMatchObject({
      trailing: {
        mode: 'percent',
        amount: { kind: 'constant', value: 1.5 },
        stepPct: { kind: 'constant', value: 0 },
        activationPct: { kind: 'constant', value: 2 },
      },
      breakEvenR: { kind: 'constant', value: 0.5 },
      holdingBarsMax: { kind: 'constant', value: 12 },
      onOpposite: 'exit',
    });
  });

  it('RULE-201 the exits have one period of the average true range', () => {
    const rules = read(`${entry}\nstop 2 * atr(20)\ntarget 3R\ntrail 1 * atr(20) step 1 %`);
    expect(exitPeriod(rules)).toBe('20');
    expect(exitPeriod(read(`${entry}\nstop 2 %`))).toBeUndefined();
    expect(exitPeriod(read(`${entry}\ntarget 2 * atr`))).toBe('14');
    expect(changedText(rules, withPeriod(rules, '10'))).toBe(
      `${entry}\nstop 2 * atr(10)\ntarget 3R\ntrail 1 * atr(10) step 1 %`,
    );
    // Another exit by range takes the period that is there.
    expect(changedText(rules, { target: withLevelUnit(rules.target, 'atr', '4', exitPeriod(rules)) })).toBe(
      `${entry}\nstop 2 * atr(20)\ntarget 4 * atr(20)\ntrail 1 * atr(20) step 1 %`,
    );
  });

  it('RULE-201 another unit of the trailing stop has its step and its start still', () => {
    const { trail } = read(`${entry}\ntrail 1 % step 0.2 % after 2 %`);
    expect(withLevelUnit(trail, 'atr', '3', undefined)).toEqual({
      unit: 'atr',
      amount: '3',
      period: '14',
      step: '0.2',
      after: '2',
    });
  });

  it.each([
    ['hold 3\nhold 4', 'Rows cannot show hold 4: edit the text instead.'],
    ['stop 2 %\nstop 3 %', 'Rows cannot show stop 3 %: edit the text instead.'],
    ['size fixed\nrisk 1 %', 'Rows cannot show risk 1 %: edit the text instead.'],
  ])('RULE-201 says that `%s` has two values for one row', (lines, error) => {
    expect(readBuilder(`${entry}\n${lines}`)).toEqual({ ok: false, error });
  });

  const problemsOf = (text: string) => {
    const compiled = compileRules(text, { interval: '1h' });
    return rowProblems(text, compiled.ok ? compiled.value.warnings : compiled.error);
  };

  it('RULE-201 an error stands at the row of its statement', () => {
    const found = problemsOf(`${entry}\ntrail 0 %; hold 2.5\nbreak even after 101R; risk 90 %; stop 2 %`);
    const messages = Object.fromEntries(
      Object.entries(found.exits).map(([key, all]) => [key, all.map((one) => one.fix)]),
    );
    expect(messages).toEqual({
      trail: ['use a number above 0 to 99 %'],
      hold: ['use a whole number from 0 to 1000000'],
      breakEven: ['use a number from 0 to 100'],
      size: ['use a number above 0 to 50 %'],
    });
    expect(found.rows).toEqual({});
  });

  it('RULE-201 errors and warnings of conditions stand at their row', () => {
    const found = problemsOf(`${entry} and rsi(14) < colse\nexit long when close < 1; stop 2 %`);
    expect(found.rows.long?.map((all) => all.map(({ fix }) => fix))).toEqual([[], ['write close']]);
    expect(found.exits).toEqual({});
    const warned = problemsOf('short when rsi(14) < close or hour > 3');
    expect(warned.rows.short?.map((all) => all.length)).toEqual([1, 0]);
  });

  it.each([
    ['trail 0 %; hold 2.5', { trail: [['trail']], hold: [['hold']] }],
    ['break even after 101R; risk 90 %', { breakEven: [['breakEven']], size: [['size']] }],
    ['stop 2 * atr(0)', { stop: [['stop period']] }],
    ['stop 2 * atr(14); target 3 * atr(15)', { target: [['target period']] }],
    ['trail 1 % step 200 % after 100000 %', { trail: [['trail step'], ['trail after']] }],
    ['stop 50 %; target 900R', { target: [['target']] }],
    ['n = 200 [1..200 step 1]; trail n %', { trail: [['trail']] }],
  ])('RULE-205 the problems of `%s` are at their fields', (lines, fields) => {
    const found = problemsOf(`${entry}; ${lines}`).exits;
    expect(Object.fromEntries(Object.entries(found).map(([key, all]) => [key, all.map((one) => one.fields)]))).toEqual(
      fields,
    );
  });

  it.each([
    ['rsi(14) < colse', [['right']]],
    ['ema(hl2, 0) > close', [['left 0']]],
    ['ema(period = 0) > close', [['left 0']]],
    ['ema(close, 5) > ema(0)', [['right 0']]],
    ['macd(12, 26, 0).signal > 0', [['left 2']]],
    ['close > open[-1]', [['right back']]],
    ['close[1] > sma(close, 0)[1]', [['right 0']]],
    ['rsi(14) < 150', [['right']]],
    ['hour in 20..8', [['right', 'high']]],
    ['hour in 8..25', [['high']]],
    // The comparison is wrong, not one side of it.
    ['rsi(14) < close', [['left', 'right']]],
    ['1h(close > open)', [['candles']]],
    ['4h(close > ema(close, 0))', [['right 0']]],
    ['crossover(ema(close, 0), close)', [['left 0']]],
  ])('RULE-205 the problem of the condition `%s` is at its field', (condition, fields) => {
    const { rows } = problemsOf(`long when close > open and ${condition}`);
    expect(rows.long?.map((all) => all.map((one) => one.fields))).toEqual([[], fields]);
  });
});
