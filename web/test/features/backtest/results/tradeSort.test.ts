import { describe, expect, it } from 'vitest';
import {
  cumulativeNetPnl,
  nextTradeSort,
  sortedTrades,
} from '../../../../src/features/backtest/results/TradesPanel.tsx';
import { tradesCsv } from '../../../../src/features/backtest/results/ExportButtons.tsx';
import { tradeOf } from '../../../support/runs.ts';

const trades = [
  tradeOf({ netPnl: 5, side: 'SHORT', entryIndex: 1, exitIndex: 9 }),
  tradeOf({ netPnl: -3, side: 'LONG', entryIndex: 10, exitIndex: 11 }),
  tradeOf({ netPnl: 5, side: 'LONG', entryIndex: 12, exitIndex: 14 }),
];
const order = (column: Parameters<typeof nextTradeSort>[1], isDescending: boolean) =>
  sortedTrades(trades, { column, isDescending });

describe('trades in order', () => {
  it('of what they earned, equal ones in the order of time', () => {
    expect(order('netPnl', true)).toEqual([0, 2, 1]);
    expect(order('netPnl', false)).toEqual([1, 0, 2]);
  });

  it('of their side and their length', () => {
    expect(order('side', false)).toEqual([1, 2, 0]);
    expect(order('bars', true)).toEqual([0, 2, 1]);
  });

  it('of the total after each: 5, 2, 7', () => {
    expect([...cumulativeNetPnl(trades)]).toEqual([5, 2, 7]);
    expect(order('cumulativeNetPnl', true)).toEqual([2, 0, 1]);
  });

  it('of their size and of the time of their exit', () => {
    const sized = [
      tradeOf({ quantity: 2, exitTimeMs: 30 }),
      tradeOf({ quantity: 3, exitTimeMs: 20 }),
      tradeOf({ quantity: 1, exitTimeMs: 40 }),
    ];
    expect(sortedTrades(sized, { column: 'quantity', isDescending: true })).toEqual([1, 0, 2]);
    expect(sortedTrades(sized, nextTradeSort({ column: 'number', isDescending: false }, 'exitTimeMs'))).toEqual([
      1, 0, 2,
    ]);
  });

  it('of time, and turned round', () => expect(order('number', true)).toEqual([2, 1, 0]));
});

it('a click turns the sorted column round and starts another one with its largest', () => {
  expect(nextTradeSort({ column: 'netPnl', isDescending: true }, 'netPnl')).toEqual({
    column: 'netPnl',
    isDescending: false,
  });
  expect(nextTradeSort({ column: 'netPnl', isDescending: true }, 'fees')).toEqual({
    column: 'fees',
    isDescending: true,
  });
  expect(nextTradeSort({ column: 'netPnl', isDescending: true }, 'number')).toEqual({
    column: 'number',
    isDescending: false,
  });
});

it('the file of the trades has a header, a row each and numbers in full', () => {
  const [header, row, ...rest] = tradesCsv([tradeOf({ netPnl: 1 / 3, liquidationPrice: null })])
    .trimEnd()
    .split('\n');
  expect(header?.split(',').slice(0, 5)).toEqual([
    ...['number', 'entryTime (UTC)', 'exitTime (UTC)', 'side', 'entryIndex (index)'],
  ]);
  expect(row).toContain('0.3333333333333333');
  // No borrowed money, no price of liquidation: the cell before the margin is empty. The total of the first is its own.
  expect(row?.endsWith(',,100,0.3333333333333333')).toBe(true);
  expect(rest).toEqual([]);
});
