import { expect, it } from 'vitest';
import { rowOfKey, templateOf } from '../../../src/ui/grid/DataGrid.tsx';

it('walks from no row to the first downwards and to the last upwards', () => {
  expect(rowOfKey('ArrowDown', -1, 5)).toBe(0);
  expect(rowOfKey('ArrowUp', -1, 5)).toBe(4);
});

it('walks one row at a time and stays at the ends', () => {
  expect(rowOfKey('ArrowDown', 1, 5)).toBe(2);
  expect(rowOfKey('ArrowUp', 1, 5)).toBe(0);
  expect(rowOfKey('ArrowDown', 4, 5)).toBe(4);
  expect(rowOfKey('ArrowUp', 0, 5)).toBe(0);
});

it('leaves other keys to the page, and every key when there is no row', () => {
  expect(rowOfKey('Enter', 1, 5)).toBeUndefined();
  expect(rowOfKey('ArrowDown', -1, 0)).toBeUndefined();
});

it('gives head and rows the same tracks', () =>
  expect(
    templateOf([
      { id: 'a', label: 'A', width: '48px' },
      { id: 'b', label: 'B', width: 'minmax(88px, 1fr)' },
    ]),
  ).toBe('48px minmax(88px, 1fr)'));
