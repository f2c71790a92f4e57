import { expect, it } from 'vitest';
import { linesOf, plotSize } from '../../../../src/features/backtest/saved/equityLines.ts';

it('RULE-123 equities of any length and start share one scale of gains, each over the whole width', () => {
  expect(plotSize).toEqual({ width: 600, height: 160 });
  // Gains 0, 10, 30 and 0, −10: the scale is −10 to 30, the box 4 to 156 high.
  const { lines, zero, high, low } = linesOf([
    [1000, 1010, 1030],
    [500, 490],
  ]);
  expect([low, high]).toEqual([-10, 30]);
  expect(zero).toBe(118);
  expect(lines).toEqual(['0.0,118.0 300.0,80.0 600.0,4.0', '0.0,118.0 600.0,156.0']);
});

it('a run without a change is a line at no gain', () => {
  expect(linesOf([[1000, 1000]])).toEqual({ lines: ['0.0,156.0 600.0,156.0'], zero: 156, high: 0, low: 0 });
});
