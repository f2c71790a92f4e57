import { expect, it } from 'vitest';
import { notOpenedMessage } from '../../../src/features/vision/openFrom.ts';

const rules = { by: 'rules' };
const model = { by: 'model' };

it.each([
  ['AI detected patterns. No position opened.', ['doji'], [rules, model]],
  ['Patterns detected. No position opened.', ['doji'], [rules]],
  ['No pattern detected. No position opened.', [], [rules, model]],
  ['No pattern detected. No position opened.', [], []],
])('AUTO-009 says "%s", with the finding and its source', (text, patterns, views) =>
  expect(notOpenedMessage({ patterns, views })).toBe(text),
);
