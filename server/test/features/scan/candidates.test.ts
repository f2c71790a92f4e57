import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CandidateRules,
  countOutcomes,
  judge,
  resultsToCheck,
  type Scored,
} from '../../../src/features/scan/candidates.ts';
import type { SignalWire } from '../../../src/features/signals/contract.ts';

const rules = { minConfidencePct: 60, confidenceFloor: null, positionsWanted: 5 };
const scored = (symbol: string, confidence: number, more: Partial<SignalWire> = {}, isStopNearer = true): Scored => ({
  signal: {
    symbol,
    interval: '1h',
    confidence,
    direction: 'LONG',
    stopLoss: 98,
    takeProfit: 104,
    horizon_min: 60,
    position: { qty: 1, sizeBase: 1, sizeUsdt: 100, leverage: 10, liquidationApprox: 90, loss_at_stop: 2 },
    ...more,
  } as SignalWire,
  isStopNearer,
});
const outcomes = (list: Scored[], given: Partial<CandidateRules> = {}) =>
  judge(list, { ...rules, ...given }).map(({ symbol, outcome, filteredBy }) => [symbol, outcome, filteredBy]);

describe('the outcome of a candidate', () => {
  it.each<[string, Scored, string, string | null]>([
    ['no direction', scored('A', 0.9, { direction: 'NEUTRAL', stopLoss: null, takeProfit: null }), 'NEUTRAL', null],
    ['59 % at a minimum of 60', scored('A', 0.59), 'LOW_CONF', 'min_confidence'],
    ['exactly the minimum', scored('A', 0.6), 'ELIGIBLE', null],
    ['0.6 as it comes out of arithmetic', scored('A', 0.1 + 0.2 + 0.3 - 1e-16), 'ELIGIBLE', null],
    ['a stop beyond the liquidation price', scored('A', 0.9, {}, false), 'NO_MATCH', 'liquidation_before_stop'],
    ['a market that does not move', scored('A', 0.9, { horizon_min: null }), 'NO_MATCH', 'no_levels'],
  ])('%s', (_, candidate, outcome, filteredBy) => {
    expect(outcomes([candidate])).toEqual([['A', outcome, filteredBy]]);
  });

  it('a quantity of nothing is ZERO_QTY, with the rule of sizing that left nothing', () => {
    const { signal } = scored('A', 0.9);
    const position = { ...signal.position, qty: 0, sizeUsdt: 0, refused_by: 'min_above_risk' as const };
    expect(outcomes([scored('A', 0.9, { position })])).toEqual([['A', 'ZERO_QTY', 'min_above_risk']]);
  });

  it('a minimum of 0 is off, and the floor of the tuning comes first', () => {
    expect(outcomes([scored('A', 0.01)], { minConfidencePct: 0 })).toEqual([['A', 'ELIGIBLE', null]]);
    expect(outcomes([scored('A', 0.4)], { confidenceFloor: 0.5 })).toEqual([['A', 'LOW_CONF', 'tuning_floor']]);
  });

  it('saved rules are held to their own threshold until their chance is measured, or where their owner chose that', () => {
    const strategy = { value: { direction: 'both' as const } };
    // A score of .10 enters: a confidence of 1 - .9^2.
    const matches = [scored('A', 0.19, { confidence_kind: 'score' })];
    expect(outcomes(matches, { strategy })).toEqual([['A', 'ELIGIBLE', null]]);
    expect(outcomes(matches, { strategy, confidenceFloor: 0.5 })).toEqual([['A', 'ELIGIBLE', null]]);
    expect(outcomes(matches, { strategy, isScoreHeld: true })).toEqual([['A', 'LOW_CONF', 'min_confidence']]);
    expect(outcomes([scored('A', 0.19, { confidence_kind: 'calibrated' })], { strategy })).toEqual([
      ['A', 'LOW_CONF', 'min_confidence'],
    ]);
    // Live rules are held by their score, as before.
    expect(outcomes(matches)).toEqual([['A', 'LOW_CONF', 'min_confidence']]);
  });

  it('a symbol is taken once, on its best interval, and only as many as requested', () => {
    const list = [scored('C', 0.7), scored('A', 0.8), scored('A', 0.9, { interval: '4h' }), scored('B', 0.95)];
    expect(outcomes(list, { positionsWanted: 2 })).toEqual([
      ['B', 'ELIGIBLE', null],
      ['A', 'ELIGIBLE', null],
      ['A', 'NO_MATCH', 'same_symbol'],
      ['C', 'NO_MATCH', 'positions_wanted'],
    ]);
  });

  it('checks those that may be opened, then their substitutes, then the rest, ten at most', () => {
    const row = (name: string, outcome: string, filtered_by: string | null) => ({ name, outcome, filtered_by });
    const all = [
      row('low', 'LOW_CONF', 'min_confidence'),
      row('next', 'NO_MATCH', 'positions_wanted'),
      row('first', 'ELIGIBLE', null),
      row('other', 'NO_MATCH', 'same_symbol'),
      row('second', 'ELIGIBLE', null),
    ];
    expect(resultsToCheck(all, 10).map(({ name }) => name)).toEqual(['first', 'second', 'next', 'other', 'low']);
    expect(resultsToCheck(all, 3).map(({ name }) => name)).toEqual(['first', 'second', 'next']);
  });

  it('is one outcome for each, in one order whatever the order of the input', () => {
    const any = fc.record({
      symbol: fc.constantFrom('A', 'B', 'C', 'D'),
      interval: fc.constantFrom('15m', '1h', '4h'),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      direction: fc.constantFrom('LONG', 'SHORT', 'NEUTRAL'),
    });
    const key = ({ symbol, interval }: { symbol: string; interval: string }) => `${symbol} ${interval}`;
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: key, maxLength: 12, size: 'max' }), (given) => {
        const list = given.map(({ symbol, confidence, ...more }) =>
          scored(symbol, confidence, more as Partial<SignalWire>),
        );
        const judged = judge(list, rules);
        expect(judged.map(key).sort()).toEqual(given.map(key).sort());
        expect(judge([...list].reverse(), rules)).toEqual(judged);
        expect(Object.values(countOutcomes(judged)).reduce((sum, count) => sum + count, 0)).toBe(given.length);
        expect(judged.filter(({ outcome }) => outcome === 'ELIGIBLE').length).toBeLessThanOrEqual(5);
      }),
    );
  });
});
