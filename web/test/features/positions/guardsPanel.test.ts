import { expect, it } from 'vitest';
import { usedText } from '../../../src/features/positions/auto/GuardsPanel.tsx';

it('DESK-199 the guards that size down show the share that is used now', () => {
  const state = { is_on: true, limit: 5 } as const;
  expect(usedText({ ...state, name: 'stops', value: 0 })).toBe('Now 0\u00a0%');
  expect(usedText({ ...state, name: 'exposure', value: 0 })).toBe('Now 0\u00a0%');
  expect(usedText({ ...state, name: 'stops', value: 3.456 })).toBe('Now 3.46\u00a0%');
  expect(usedText({ ...state, name: 'exposure', value: 150 })).toBe('Now 150.00\u00a0% long');
  expect(usedText({ ...state, name: 'exposure', value: -20.5 })).toBe('Now 20.50\u00a0% short');
  expect(usedText({ ...state, name: 'stops', value: null })).toBe('No equity left');
});
