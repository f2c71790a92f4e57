import { describe, expect, it } from 'vitest';
import {
  figureCount,
  type FigureGroup,
  figureGroups,
  groupedFigures,
} from '../../../../src/features/backtest/results/allFigures.ts';
import { analysisOf, summaryOf } from '../../../support/runs.ts';

const textOf = (group: FigureGroup, name: string, result: Parameters<typeof groupedFigures>[0]) =>
  groupedFigures(result, group)
    .find(({ definition }) => definition.name === name)
    ?.value.replaceAll('\u00a0', ' ');

describe('all figures', () => {
  it('stand in three groups, each with its definition, and none is lost', () => {
    const result = { summary: summaryOf(), analysis: analysisOf() };
    const shown = figureGroups.flatMap((group) => groupedFigures(result, group));
    expect(shown).toHaveLength(figureCount);
    for (const { definition, value } of shown) {
      expect(definition.meaning).not.toBe('');
      expect(value).not.toMatch(/NaN|null|undefined|not enough data/);
    }
  });

  it('say how far the data are from enough', () => {
    const few = { summary: summaryOf({ tradeCount: 12 }), analysis: analysisOf() };
    expect(textOf('return', 'Annual return (CAGR)', few)).toBe('too few UTC days: 22 of 30');
    expect(textOf('risk', 'p-value of the mean', few)).toBe('too few trades: 12 of 30');
    expect(textOf('trades', 'Average loss', few)).toBe('no losing trade');
    const many = { summary: summaryOf({ tradeCount: 40 }), analysis: analysisOf({ dayCount: 40 }) };
    expect(textOf('risk', 'Omega ratio', many)).toBe('no day that lost');
    const gone = { summary: summaryOf({ ruinIndex: 900 }), analysis: analysisOf({ dayCount: 40 }) };
    expect(textOf('return', 'Annual return (CAGR)', gone)).toBe('equity used up');
  });

  it('carry a sign where they are a gain or a loss, and never show something as nothing', () => {
    const analysis = analysisOf({
      dayCount: 40,
      annualReturnFraction: 0.5,
      meanPValue: 0.00001,
      kellyFraction: -0.1,
      averageLoss: -2.5,
      candlesHeldByWinners: 3.25,
      beta: -0.4,
      winRateLong: 0.5,
    });
    const result = { summary: summaryOf({ tradeCount: 40 }), analysis };
    expect(textOf('return', 'Annual return (CAGR)', result)).toBe('+50.00 %');
    expect(textOf('risk', 'p-value of the mean', result)).toBe('< 0.01 %');
    expect(textOf('risk', 'Kelly share', result)).toBe('\u221210.00 %');
    expect(textOf('trades', 'Average loss', result)).toBe('\u22122.50 USDT');
    expect(textOf('trades', 'Winners held', result)).toBe('3.3 candles');
    expect(textOf('return', 'Beta', result)).toBe('\u22120.40');
    expect(textOf('trades', 'Win rate, long', result)).toBe('50.00 %');
  });
});
