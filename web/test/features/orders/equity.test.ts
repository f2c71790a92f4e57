import { expect, it } from 'vitest';
import { equityOf } from '../../../src/features/orders/ticket/useEquity.ts';

it('DESK-271 equity has the margins and reserves of the served market, not of another one that waits', () => {
  const positions = [
    { market: 'live', margin: 200 },
    { market: 'simulated', margin: 50 },
  ] as const;
  const orders = [
    { market: 'live', reserved: 25 },
    { market: 'replay', reserved: 7 },
  ] as const;
  expect(equityOf(1000, { positions, orders }, 'live')).toBe(1225);
});
