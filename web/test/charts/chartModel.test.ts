import { expect, it } from 'vitest';
import { alignToLoaded, drawdownPct, plotColumn } from '../../src/charts/chartModel.ts';

it('a value that is not defined becomes a gap', () =>
  expect(plotColumn([1, NaN, Infinity, 3], 100)).toEqual([100, null, null, 300]));

it('a scored column stands at the end of the loaded candles', () =>
  expect(alignToLoaded([7, NaN, 9], 5)).toEqual([null, null, 7, null, 9]));

it('drawdown is the fall from the highest equity so far, in percent', () =>
  // Peaks 100, 100, 120, 120, 120: falls 0, 10, 0, 25, 12.5 %.
  expect([...drawdownPct([100, 90, 120, 90, 105], 100)]).toEqual([0, -10, 0, -25, -12.5]));

it('a loss in the first candle is a drawdown from the start equity', () =>
  expect([...drawdownPct([80], 100)]).toEqual([-20]));
