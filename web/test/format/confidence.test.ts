import { expect, it } from 'vitest';
import { modelText } from '../../src/features/shared/record/AiValuePanel.tsx';
import { confidenceText } from '../../src/format/confidence.ts';

it('a confidence has one decimal everywhere, and none where there is none', () => {
  expect(confidenceText(0.8246)).toBe('82.5\u00a0%');
  expect(confidenceText(null)).toBe('\u2013');
});

it('a confidence never reads as certain, though a calibrated one may be exactly 0 or 1', () => {
  expect([0.999, 0.9995, 1].map(confidenceText)).toEqual(['99.9\u00a0%', '>\u00a099.9\u00a0%', '>\u00a099.9\u00a0%']);
  expect([0, 0.0004, 0.001].map(confidenceText)).toEqual(['<\u00a00.1\u00a0%', '<\u00a00.1\u00a0%', '0.1\u00a0%']);
});

it('names the built-in rules by their version, a model by its name', () => {
  expect(modelText({ decided_by: 'built_in', model: 'built-in-2' })).toBe('version 2');
  expect(modelText({ decided_by: 'model', model: 'built-in-x' })).toBe('built-in-x');
});
