import { expect, it } from 'vitest';
import { largestOrderNotes } from '../../../../src/features/backtest/portfolio/figures.ts';

type Request = Parameters<typeof largestOrderNotes>;

const symbols = [
  { symbol: 'AUSDT', costs: { maxQuantity: 120, stepSize: 0.1 } },
  { symbol: 'BUSDT', costs: { maxQuantity: 1000, stepSize: 1 } },
  { symbol: 'DUSDT', costs: { maxQuantity: 7.25 } },
  // Its exchange states no largest order.
  { symbol: 'CUSDT', costs: { maxQuantity: 0, stepSize: 1 } },
] as unknown as Request[1];
const trades = (...quantities: [symbol: string, quantity: number][]) =>
  quantities.map(([symbol, quantity]) => ({ symbol, quantity })) as unknown as Request[0];

it('RULE-192 a portfolio run names the symbols whose trades have the largest order, and how many', () => {
  const all = trades(
    ['AUSDT', 120],
    ['AUSDT', 119.9],
    ['BUSDT', 1000],
    ['BUSDT', 999],
    ['CUSDT', 1e9],
    ['DUSDT', 7.25],
  );
  expect(largestOrderNotes(all, symbols)).toEqual([
    '3 of 6 trades have the largest market order of the exchange: AUSDT, BUSDT, DUSDT.',
  ]);
  expect(largestOrderNotes(trades(['AUSDT', 119.9], ['CUSDT', 5]), symbols)).toEqual([]);
});
