import { ruleTemplates } from '@sextant/workers/src/rules/templates/index.ts';
import { describe, expect, it } from 'vitest';
import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import {
  applyChange,
  checkRules,
  decimalsOf,
  fixOf,
  parametersIn,
  spanOf,
} from '../../../../src/features/backtest/own/ownRules.ts';
import { problemText } from '../../../../src/features/backtest/own/problemWords.ts';

/** The text after the fix of its first error; null where the fix is advice. */
function fixed(text: string): string | null {
  const checked = checkRules(text, '1h');
  const [problem] = checked.ok ? [] : checked.error;
  if (problem === undefined) throw new Error('the text has no error');
  const change = fixOf(text, problem, '1h');
  return change === null ? null : applyChange(text, change);
}

describe('a fix of an error', () => {
  it.each([
    ['a near name', 'long when rsii(14) < 30', 'long when rsi(14) < 30'],
    ['a word in capitals', 'long when CLOSE > 1', 'long when close > 1'],
    ['a sign of another language', 'long when close > 1 && close < 9', 'long when close > 1 and close < 9'],
    ['= for ==', 'long when hour = 8', 'long when hour == 8'],
    [
      'a chain of comparisons',
      'long when close > 1 and 20 < rsi < 70',
      'long when close > 1 and 20 < rsi and rsi < 70',
    ],
    ['an interval', 'long when 240m(close > 1)', 'long when 4h(close > 1)'],
    [
      'words for a comparison',
      'long when close crosses above ema(close, 20)',
      'long when crossover(close, ema(close, 20))',
    ],
    ['a number for a condition', 'long when macd', 'long when macd > 0'],
    ['a unit in its own words', 'long when close > 1; size big', 'long when close > 1; size fixed'],
  ])('RULE-031 of %s replaces the characters that are meant', (_what, text, expected) => {
    expect(fixed(text)).toBe(expected);
  });

  it.each(['long when foobarbaz > 1', 'stop 2 %', 'long when close[-1] > 2'])(
    'RULE-031 of `%s` is offered only where it leaves fewer errors',
    (text) => {
      const after = fixed(text);
      const before = compileRules(text, { interval: '1h' });
      if (after === null || before.ok) return;
      const next = compileRules(after, { interval: '1h' });
      expect(next.ok ? 0 : next.error.length).toBeLessThan(before.error.length);
    },
  );

  it('RULE-031 has its characters by line and column, and is a sentence', () => {
    const text = 'x = 1\nlong when closee > x';
    const checked = checkRules(text, '1h');
    const [problem] = checked.ok ? [] : checked.error;
    if (problem === undefined) throw new Error('the text has no error');
    expect(spanOf(text, problem)).toEqual({ from: 16, to: 22 });
    expect(problemText(problem)).toBe('closee is not known. Fix: write close.');
  });
});

describe('the parameters of a text', () => {
  it('RULE-034 are those with a range, with their place among all, also beside an error', () => {
    const text = 'a = 3; fast = 12 [5..50 step 1]\nlong when oops > fast; k = 0.5 [0..1 step 0.25]';
    expect(parametersIn(text)).toEqual({
      values: [3, 12, 0.5],
      ranged: [
        { index: 1, name: 'fast', value: 12, from: 5, to: 50, step: 1 },
        { index: 2, name: 'k', value: 0.5, from: 0, to: 1, step: 0.25 },
      ],
    });
  });

  it('RULE-034 a slider has the decimals of its step', () => {
    expect([1, 0.25, 0.1, 10].map(decimalsOf)).toEqual([0, 2, 1, 0]);
  });
});

it('RULE-037 every template compiles on its candles and has a title and a source', () => {
  expect(ruleTemplates.length).toBeGreaterThan(0);
  for (const { id, title, source, text, interval } of ruleTemplates) {
    const compiled = compileRules(text, { interval });
    expect(compiled.ok ? [] : compiled.error, id).toEqual([]);
    expect(
      [title, source].every((words) => words.length > 3),
      id,
    ).toBe(true);
  }
});
