import { describe, expect, it } from 'vitest';
import { openCosts, partNet, shareOfCosts } from '../../src/positions/openFigures.ts';

const entry = (amount: number) => ({ kind: 'fee', data: { amount, what: 'entry' } });
const exit = (amount: number) => ({ kind: 'fee', data: { amount, what: 'exit' } });
const funding = (amount: number) => ({ kind: 'funding', data: { amount } });
/** @param qty what is open after it */
const reduced = (quantity: number, qty: number) => ({ kind: 'reduced', data: { quantity, qty } });

describe('costs of the part of a position that is open', () => {
  it('DESK-176 leave out exit fees and shares of parts that were closed before', () => {
    // 10 units, entry fee 10, exit fee 1 a unit: after 5 are closed 15 were charged, and 5 of the entry fee are left.
    const costs = openCosts([entry(10), exit(5), reduced(5, 5)]);
    expect(costs).toEqual({ fees: 5, funding: 0 });
    // 2.5 of the 5 pay 2.5 of it, and 2.5 at the exit: 10 a unit without a change of the price.
    expect(shareOfCosts(costs, 2.5, 5)).toBe(2.5);
    const terms = { side: 'LONG', entryPrice: 10 } as const;
    expect(partNet(terms, { quantity: 2.5, costs: 2.5 }, 10, 0.1)).toBeCloseTo(-5, 12);
    // A short gains by the fall of 1: 2.5 - 2.5 - 2.25.
    expect(partNet({ ...terms, side: 'SHORT' }, { quantity: 2.5, costs: 2.5 }, 9, 0.1)).toBeCloseTo(-2.25, 12);
  });

  it('DESK-176 allocate funding to what was open when it was paid', () => {
    // 4 of funding, half of it closed, 1 more paid by the rest, 3 received: 2 + 1 - 3.
    const events = [entry(8), funding(4), exit(1), reduced(5, 5), funding(1), funding(-3)];
    expect(openCosts(events)).toEqual({ fees: 4, funding: 0 });
  });

  it('DESK-176 count the fee of an addition in whole', () => {
    // 10 of 40 left after 3 of 4 units, 6 more for 1 unit; then half of the 2.
    const events = [entry(40), exit(3), reduced(3, 1), entry(6), { kind: 'added', data: { quantity: 1, qty: 2 } }];
    expect(openCosts(events)).toEqual({ fees: 16, funding: 0 });
    expect(openCosts([...events, exit(1), reduced(1, 1)])).toEqual({ fees: 8, funding: 0 });
  });
});
