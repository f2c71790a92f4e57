import { describe, expect, it } from 'vitest';
import { riskedUsdt, riskMultiple } from '../../src/positions/riskMultiple.ts';

const costs = { takerFeeFraction: 0.0005, stopSlippageFraction: 0.0002 };
const long = {
  side: 'LONG',
  entryPrice: 100,
  quantity: 2,
  firstStop: 98,
  lossAtFirstStop: 4.3,
  isSingle: true,
} as const;

describe('R multiples', () => {
  it('DESK-122 a position of one entry and one exit risked what its opening said', () => {
    expect(riskedUsdt(long, costs)).toBe(4.3);
    expect(riskMultiple(8.6, 4.3)).toBe(2);
  });

  it('DESK-122 a position in parts risked all that was entered, by hand', () => {
    // Stop fill 98 x 0.9998 = 97.9804; 3 x (100 - 97.9804) = 6.0588; fees 0.0005 x 3 x (100 + 97.9804) = 0.2969706.
    expect(riskedUsdt({ ...long, quantity: 3, isSingle: false }, costs)).toBeCloseTo(6.3557706, 10);
    // A short: stop fill 102 x 1.0002 = 102.0204; 3 x 2.0204 = 6.0612; fees 0.0005 x 3 x 202.0204 = 0.3030306.
    const short = { ...long, side: 'SHORT', quantity: 3, firstStop: 102, isSingle: false } as const;
    expect(riskedUsdt(short, costs)).toBeCloseTo(6.3642306, 10);
  });

  it('DESK-122 an average entry that the first stop lies beyond has no risk, and no multiple', () => {
    expect(riskMultiple(5, riskedUsdt({ ...long, entryPrice: 97, isSingle: false }, costs))).toBeNull();
    expect(riskMultiple(5, 0)).toBeNull();
  });
});
