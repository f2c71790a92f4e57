import { expect, it } from 'vitest';
import { csvCell } from '@sextant/workers/src/core/csvCell.ts';

it.each([
  ['NUL', '\u0000=1+1'],
  ['a full-width equals sign', '\uff1d1+1'],
  ['a full-width plus', '\uff0b1'],
  ['a full-width minus', '\uff0d1'],
  ['a full-width at', '\uff20SUM(A1)'],
  ['a zero-width space', '\u200b=1+1'],
  ['a next line', '\u0085=1+1'],
  ['a byte order mark', '\ufeff=1+1'],
  ['all of them', ' \u0000\u200b\u0085\uff1d1'],
])('a cell that starts with %s is no formula', (_name, text) => {
  expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
});

it('guards the same behind the separator of another country, and leaves other text and numbers alone', () => {
  expect(csvCell('a;\u200b=1')).toBe(`"a;\u200b'=1"`);
  expect(csvCell('a|\uff1d1')).toBe(`a|'\uff1d1`);
  expect(csvCell('Grüße 1=2')).toBe('Grüße 1=2');
  expect(csvCell(-1.5)).toBe('-1.5');
});
