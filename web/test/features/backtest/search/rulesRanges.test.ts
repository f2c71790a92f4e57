import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { packRulesSpace } from '@sextant/workers/src/tasks/optimize/rulesSpace.ts';
import { describe, expect, it } from 'vitest';
import { rulesRangesFrom, rulesRangesOf, rulesSpaceOf } from '../../../../src/features/backtest/search/rulesRanges.ts';
import { csvHeader } from '../../../../src/features/backtest/search/exportTrials.ts';
import { parametersOf } from '../../../../src/features/backtest/search/searchDefinitions.ts';

const live = liveRules(['15m', '1h']);
const percent: Strategy = {
  ...live,
  stop: { mode: 'percent', fraction: 0.02 },
  target: { mode: 'percent', fraction: 0.04 },
};

describe('ranges of a search over rules', () => {
  it('are those of the ways in which the exits are measured; trailing that is off follows the stop', () => {
    const namesOf = (strategy: Strategy) => rulesRangesOf(strategy).map(({ name }) => name);
    expect(namesOf(live)).toEqual(['weight', 'entryThreshold', 'stopMultiple', 'targetMultiple', 'trailingMultiple']);
    expect(namesOf(percent)).toEqual([
      'weight',
      'entryThreshold',
      'stopFraction',
      'targetFraction',
      'callbackFraction',
    ]);
    const trailed: Strategy = { ...percent, trailing: { ...percent.trailing, mode: 'atr' } };
    expect(namesOf(trailed).at(-1)).toBe('trailingMultiple');
  });

  it('of another mode are stored, and left out of the search', () => {
    const ranges = {
      stopMultiple: { min: 1, max: 2 },
      stopFraction: { min: 0.01, max: 0.02 },
      weight: { min: -1, max: 1 },
      weights: { rsi: { min: 0, max: 0 } },
    };
    const shared = { weight: { min: -1, max: 1 }, weights: { rsi: { min: 0, max: 0 } } };
    expect(rulesSpaceOf(live, ranges)).toEqual({ ...shared, stop: { min: 1, max: 2 } });
    expect(rulesSpaceOf(percent, ranges)).toEqual({ ...shared, stop: { min: 0.01, max: 0.02 } });
    expect(rulesSpaceOf(live, {})).toEqual({});
    // A saved search names them without the mode.
    expect(rulesRangesFrom(live, { ...shared, stop: { min: 1, max: 2 }, trailing: 'on' })).toEqual({
      ...shared,
      stopMultiple: { min: 1, max: 2 },
    });
    expect(rulesRangesFrom(percent, { target: { min: 0.01, max: 0.02 } })).toEqual({
      targetFraction: { min: 0.01, max: 0.02 },
    });
    expect(rulesRangesFrom(percent, {})).toEqual({});
    for (const strategy of [live, percent])
      expect(packRulesSpace(strategy, rulesSpaceOf(strategy, ranges)).ok).toBe(true);
  });
});

describe('parameters of a search over rules', () => {
  const search = (strategy: Strategy) => ({ rules: { strategy, context: [] } });

  it('are shown in the unit of the exits', () => {
    const textOf = (strategy: Strategy, id: string, value: number): string | undefined =>
      parametersOf(search(strategy))
        .find((each) => each.id === id)
        ?.format(value);
    expect(textOf(live, 'stop', 2.5)).toBe('2.5 ATR');
    expect(textOf(percent, 'stop', 0.025)).toMatch(/^2\.50\s%$/);
    expect(textOf(live, 'pivot', -0.35)).toBe('−0.35');
    expect(parametersOf({})).toHaveLength(19);
    expect(parametersOf(search(live))).toHaveLength(18 + 5);
  });

  it('are columns of the file under their unit', () => {
    const header = csvHeader(search(live));
    expect(header.slice(-5)).toEqual([
      'entryThreshold (0 to 1)',
      'stop (ATR)',
      'target (ATR)',
      'trailing (1 is on)',
      'trailingDistance (ATR)',
    ]);
    expect(header).toContain('weight.pivot (-5 to 5)');
    expect(csvHeader(search(percent))).toContain('stop (fraction)');
  });
});
