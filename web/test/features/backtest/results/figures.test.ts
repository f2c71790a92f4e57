import { describe, expect, it } from 'vitest';
import {
  drawdownDepth,
  exitRows,
  pnlOverDrawdown,
  statisticNote,
  waterfall,
} from '../../../../src/features/backtest/results/figures.ts';
import { summaryOf, tradeOf } from '../../../support/runs.ts';

describe('PnL over drawdown', () => {
  it('is the return for each unit of the worst fall', () =>
    // 50 of 1000 is 5 %; over a fall of 2.5 % that is 2.
    expect(pnlOverDrawdown(summaryOf({ netPnl: 50, maxDrawdownFraction: 0.025 }), 1000)).toBeCloseTo(2, 12));

  it('is none without a fall', () => expect(pnlOverDrawdown(summaryOf({ netPnl: 50 }), 1000)).toBeNull());
});

it.each([
  [0.1, undefined],
  [0.12, 'more than a tenth'],
  [0.3, 'more than a quarter'],
  [0.55, 'more than half'],
  [0.98, 'almost all'],
])('a drawdown of %d is warned of as what it is: %s', (fraction, words) => expect(drawdownDepth(fraction)).toBe(words));

it('exits are counted by reason, those that did not occur left out', () => {
  const trades = [
    tradeOf({ closeReason: 'SL', netPnl: -21 }),
    tradeOf({ closeReason: 'TP', netPnl: 39 }),
    tradeOf({ closeReason: 'SL', netPnl: 4 }),
    tradeOf({ closeReason: 'END', netPnl: 0 }),
  ];
  expect(exitRows(trades)).toEqual([
    { reason: 'TP', count: 1, netPnl: 39, winCount: 1 },
    { reason: 'SL', count: 2, netPnl: -17, winCount: 1 },
    { reason: 'END', count: 1, netPnl: 0, winCount: 0 },
  ]);
});

it('the way from gross to net has no hole: each step starts where the one before ended', () => {
  // Undisturbed prices gave 120; slippage took 20 (gross 100), fees 12, funding 3: net 85.
  const steps = waterfall(summaryOf({ grossPnl: 100, slippage: 20, fees: 12, funding: 3, netPnl: 85 }));
  expect(steps.map(({ key, amount, from, to }) => [key, amount, from, to])).toEqual([
    ['gross', 120, 0, 120],
    ['slippage', -20, 120, 100],
    ['fees', -12, 100, 88],
    ['funding', -3, 88, 85],
    ['netPnl', 85, 0, 85],
  ]);
});

it('a statistic names its days, or how far they are from enough', () => {
  expect(statisticNote({ value: 1.2, count: 41 })).toBe('41 UTC days');
  expect(statisticNote({ value: null, count: 22, reason: 'needs 30 days' })).toBe('22 of 30 days');
  expect(statisticNote({ value: null, count: 60, reason: 'no variation' })).toBe('60 UTC days');
});
