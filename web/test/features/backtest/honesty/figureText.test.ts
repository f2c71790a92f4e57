import type { HonestyFigure } from '@sextant/workers/src/protocol/honesty.ts';
import { expect, it } from 'vitest';
import { figureText } from '../../../../src/features/backtest/honesty/figureText.ts';

const textOf = (id: HonestyFigure['id'], value: number, count = 252): string =>
  figureText({ id, value, count, window: 'search', says: 'neither', words: '' }, true).value.replaceAll('\u00a0', ' ');

it.each([
  ['deflatedSharpe', 1, '> 99.99 %'],
  ['deflatedSharpe', 0.9999999, '> 99.99 %'],
  ['holdout', 0.99994, '99.99 %'],
  ['realityCheck', 1e-9, '< 0.01 %'],
  ['bothWindows', 0, '< 0.01 %'],
  ['randomEntry', 0.0489, '4.89 %'],
] as const)('a chance never reads as certain: %s of %d reads %s', (id, value, words) =>
  expect(textOf(id, value)).toBe(words),
);

it('a share of none or all halvings is a count, which is exact', () => {
  expect(textOf('overfitting', 0)).toBe('0 of 252');
  expect(textOf('overfitting', 1, 70)).toBe('70 of 70');
  expect(textOf('overfitting', 0.95)).toBe('95.00 %');
});
