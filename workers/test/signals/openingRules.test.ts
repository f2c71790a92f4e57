import { describe, expect, it } from 'vitest';
import { lowConfidence, percentOf } from '../../src/signals/openingRules.ts';

const rules = { minConfidencePct: 60, confidenceFloor: 0.7, isScoreHeld: false };

describe('the limits of confidence, one rule for scan and opening', () => {
  it.each([
    ['a score of Live rules', { confidence: 0.5, kind: 'score', isOfSavedRules: false }, 'tuning_floor'],
    ['a measured chance of saved rules', { confidence: 0.5, kind: 'calibrated', isOfSavedRules: true }, 'tuning_floor'],
    ['a score of saved rules', { confidence: 0.1, kind: 'score', isOfSavedRules: true }, undefined],
    ['enough', { confidence: 0.7, kind: 'score', isOfSavedRules: false }, undefined],
  ] as const)('%s', (_, held, detail) => {
    expect(lowConfidence(held, rules)?.detail).toBe(detail);
  });

  it('say the figure and the limit in percent', () => {
    const held = { confidence: 0.55, kind: 'score', isOfSavedRules: true } as const;
    expect(lowConfidence(held, { ...rules, confidenceFloor: null, isScoreHeld: true })).toEqual({
      detail: 'min_confidence',
      value: 55,
      limit: 60,
    });
    expect(percentOf(0.1 + 0.2 + 0.3)).toBe(60);
  });
});
