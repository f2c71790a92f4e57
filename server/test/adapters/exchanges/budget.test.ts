import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/adapters/exchanges/budget.ts';

describe('budget', () => {
  it('lets through what fits and delays what does not until enough has left the window', () => {
    const budget = createBudget({ capacity: 10, windowMs: 1000 });
    const take = (cost: number, nowMs: number): number => {
      const atMs = budget.earliest(cost, nowMs);
      budget.book(cost, atMs);
      return atMs;
    };
    expect(take(6, 5000)).toBe(5000);
    expect(take(4, 5100)).toBe(5100);
    // Full. One more has to wait for the six of 5000 to leave, and six more for the four of 5100 as well.
    expect(take(1, 5200)).toBe(6000);
    expect(take(6, 5200)).toBe(6100);
  });

  it('keeps first come, first served: nothing is booked before what was booked ahead', () => {
    const budget = createBudget({ capacity: 10, windowMs: 1000 });
    budget.book(10, 5000);
    budget.book(8, budget.earliest(8, 5001));
    expect(budget.earliest(1, 5002)).toBeGreaterThanOrEqual(6000);
  });

  it('books what the exchange counted beyond ours: somebody else uses the same address', () => {
    const budget = createBudget({ capacity: 100, windowMs: 60_000 });
    budget.book(20, 120_000);
    budget.observe(95, 120_000, 121_000);
    expect(budget.earliest(10, 122_000)).toBe(180_000);
    budget.observe(40, 120_000, 123_000);
    expect(budget.earliest(5, 123_000)).toBe(123_000);
  });

  it('never spends more than its capacity in any window, whatever is asked when', () => {
    const arrivals = fc.array(
      fc.record({ cost: fc.integer({ min: 1, max: 10 }), waitMs: fc.integer({ min: 0, max: 700 }) }),
      {
        minLength: 20,
        maxLength: 200,
        size: 'max',
      },
    );
    fc.assert(
      fc.property(arrivals, (requests) => {
        const [capacity, windowMs] = [24, 2000];
        const budget = createBudget({ capacity, windowMs });
        const spent: { atMs: number; cost: number }[] = [];
        let nowMs = 1_000_000;
        for (const { cost, waitMs } of requests) {
          nowMs += waitMs;
          const atMs = budget.earliest(cost, nowMs);
          expect(atMs).toBeGreaterThanOrEqual(nowMs);
          budget.book(cost, atMs);
          spent.push({ atMs, cost });
        }
        for (const { atMs: end } of spent) {
          const within = spent.filter(({ atMs }) => atMs > end - windowMs && atMs <= end);
          expect(within.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(capacity);
        }
      }),
      { numRuns: 200, seed: 41 },
    );
  });
});
