import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { expect, it } from 'vitest';
import { modelText } from '../../src/features/shared/record/AiValuePanel.tsx';
import { basisText, confidenceText, isOfRule, listedText, statedText } from '../../src/format/confidence.ts';
import { rulesText } from '../../src/format/strategyText.ts';
import { signalOf } from '../support/signals.ts';

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

const basis = {
  interval: '1h',
  kind: 'score',
  strategy_version: 'live-1',
  version: null,
  outcome_count: 3,
  needed: 100,
  base_rate: null,
  as_of: null,
  window_from: null,
  window_to: null,
  points: [],
  mean_win_stops: null,
  mean_loss_stops: null,
} as const;

it('RULE-016 an unmeasured chance is indicator agreement for the votes of the scanner, and the score for saved rules', () => {
  expect(basisText({ ...basis, points: [] })).toMatch(/Showing indicator agreement\.$/);
  const saved = basisText({ ...basis, points: [], strategy_version: 'a'.repeat(64) });
  expect(saved).toMatch(/version of your strategy \(3 of 100 signals finished\)\. Showing the score\.$/);
});

it('RULE-016 a signal of own rules shows its score without a percent sign until its chance is measured', () => {
  const rule = signalOf({ contributions: [], confidence: 1, raw_confidence: 1 });
  expect([isOfRule(rule), isOfRule(signalOf()), isOfRule({ ...rule, direction: 'NEUTRAL' })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(statedText(rule)).toBe('score 100');
  expect([1, 0.999, 0.62, null].map(listedText)).toEqual(['score 100', '99.9\u00a0%', '62.0\u00a0%', '\u2013']);
  expect(statedText({ ...rule, confidence: 0.412, confidence_kind: 'calibrated' })).toBe('41.2\u00a0%');
  expect(statedText(signalOf({ confidence: 0.5 }))).toBe('50.0\u00a0%');
});

it('RULE-016 own rules are described without votes and weights', () => {
  const own = strategyOfRules('long when rsi(14) < 30 and 4h(close > ema(close, 50))', '1h');
  if (!own.ok) throw new Error(own.error[0]?.message);
  const lines = new Map(rulesText(own.value));
  expect(lines.get('Intervals')).toBe('1h, with 4h');
  expect(lines.get('Entry')).toBe('your rules, long only');
  expect(lines.has('Vote parameters')).toBe(false);
});
