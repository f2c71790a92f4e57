import { expect, it } from 'vitest';
import { compileRules } from '../../src/rules/compileRules.ts';
import { withValues } from '../../src/rules/withValues.ts';

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
