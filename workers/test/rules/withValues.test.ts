import { describe, expect, it } from 'vitest';
import { gridValue, isRanged } from '../../src/rules/checked.ts';
import { compileRules, type RuleSet } from '../../src/rules/compileRules.ts';
import { withValues } from '../../src/rules/withValues.ts';
import { randomRangedRules } from '../support/ownRules.ts';
import { seededRandom } from '../support/randomRuns.ts';

function compiled(text: string): RuleSet {
  const rules = compileRules(text, { interval: '15m' });
  if (!rules.ok) throw new Error(JSON.stringify(rules.error));
  return rules.value;
}

describe('the text with other values', () => {
  it('RULE-021 changes the numbers of ranged parameters only: comments, spaces, signs and spellings stay', () => {
    const text = `# fast = 3 [1..9 step 1]
fast=5[3..20 step 1];slow = 20 // slow = 1
 level  =  - 0.50 [-1..1 step 0.01]
same = 1.50 [1..2 step 0.25]
long when ema(close, fast) > ema(close, slow) + level * same and fast == 5`;
    expect(withValues(text, [20, 99, 0.07, 1.5])).toBe(`# fast = 3 [1..9 step 1]
fast=20[3..20 step 1];slow = 20 // slow = 1
 level  =  0.07 [-1..1 step 0.01]
same = 1.50 [1..2 step 0.25]
long when ema(close, fast) > ema(close, slow) + level * same and fast == 5`);
    expect(withValues('a = 1 [-1..1 step 0.5]\nlong when close > a', [-1])).toBe(
      'a = -1 [-1..1 step 0.5]\nlong when close > a',
    );
    expect(withValues(text, [20])).toBe(text.replace('fast=5', 'fast=20'));
    expect(withValues('a = 1 [0..2 step 1]\nlong when', [2])).toBe('a = 2 [0..2 step 1]\nlong when');
  });

  it('RULE-021 compiles to the same program with these values, and the old values give the old text', () => {
    const random = seededRandom(90_210);
    for (let k = 0; k < 200; k++) {
      const text = randomRangedRules(random);
      const before = compiled(text);
      const values = before.parameters.map((each) =>
        isRanged(each) ? gridValue(each, Math.floor(random() * each.count)) : each.value,
      );
      const changed = withValues(text, values);
      const after = compiled(changed);
      expect(after.parameters.map(({ value }) => value)).toEqual(values);
      expect(after.program.code).toEqual(before.program.code);
      expect([...after.program.values]).toEqual(
        [...before.program.values].map((value, v) => values[before.program.valueParameters[v] ?? -1] ?? value),
      );
      const old = before.parameters.map(({ value }) => value);
      expect(withValues(changed, old)).toBe(text);
      expect(withValues(text, old)).toBe(text);
    }
  });
});

it('RULE-034 other values change the numbers of parameters, and no other character', () => {
  const text =
    'fast=12 [5..50 step 1]; slow  =  26  [20..200 step 2] # 12\nk = -0.5 [-1..1 step 0.25]; fixed = 3\nlong when ema(fast) > k * slow + fixed';
  expect(withValues(text, [13, 40, 0.25, 4])).toBe(
    'fast=13 [5..50 step 1]; slow  =  40  [20..200 step 2] # 12\nk = 0.25 [-1..1 step 0.25]; fixed = 3\nlong when ema(fast) > k * slow + fixed',
  );
  expect(withValues(text, [12, 26, -0.5, 3])).toBe(text);
});

it('RULE-034 the text with other values compiles to those values', () => {
  const text = 'a = 1e1 [5..50 step 1]\nb = .5 [0..1 step 0.25]; c =\n 7 [1..9 step 2]\nlong when ema(a) > b * c';
  const compiled = compileRules(withValues(text, [20, 0.75, 9]), { interval: '1h' });
  expect(compiled.ok && compiled.value.parameters.map(({ value }) => value)).toEqual([20, 0.75, 9]);
});
