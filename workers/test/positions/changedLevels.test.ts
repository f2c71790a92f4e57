import { describe, expect, it } from 'vitest';
import {
  breakEvenStop,
  netAtStop,
  rejectStop,
  rejectTarget,
  roundStop,
  roundTarget,
} from '../../src/positions/changedLevels.ts';

const TICK = 0.01;

describe('rules of a changed level', () => {
  const terms = { side: 'LONG', entryPrice: 100, qty: 2, fees: 0.1, funding: 0.05, takerFeeFraction: 0.0005 } as const;

  it('DESK-003 break-even loses nothing and is the first tick that does so, on both sides', () => {
    for (const side of ['LONG', 'SHORT'] as const) {
      const sign = side === 'LONG' ? 1 : -1;
      const stop = breakEvenStop({ ...terms, side }, TICK);
      expect(sign * (stop - 100)).toBeGreaterThan(0);
      expect(netAtStop({ ...terms, side }, stop)).toBeGreaterThanOrEqual(-1e-9);
      expect(netAtStop({ ...terms, side }, stop - sign * TICK)).toBeLessThan(0);
    }
  });

  it('DESK-131 break-even earns back what parts lost, and a gain of parts does not move it', () => {
    for (const side of ['LONG', 'SHORT'] as const) {
      const sign = side === 'LONG' ? 1 : -1;
      const lost = { ...terms, side, realised: -3 };
      const stop = breakEvenStop(lost, TICK);
      expect(netAtStop(lost, stop)).toBeGreaterThanOrEqual(-1e-9);
      expect(netAtStop(lost, stop - sign * TICK)).toBeLessThan(0);
      expect(breakEvenStop({ ...terms, side, realised: 3 }, TICK)).toBe(breakEvenStop({ ...terms, side }, TICK));
    }
    // By hand, a long of 2 at 100 that lost 3 in a part: (100 + 3.15 / 2) / 0.9995 / 0.9998 = 101.6461..., on the tick above.
    expect(breakEvenStop({ ...terms, realised: -3 }, TICK)).toBe(101.65);
  });

  it('DESK-002 levels are rounded towards the price and must lie on their side of it and of the liquidation', () => {
    expect([roundStop('LONG', 98.001, TICK), roundStop('SHORT', 101.009, TICK)]).toEqual([98.01, 101]);
    expect([roundTarget('LONG', 104.009, TICK), roundTarget('SHORT', 96.001, TICK)]).toEqual([104, 96.01]);
    const bounds = { side: 'LONG', price: 100, tickSize: TICK, liquidationPrice: 91 } as const;
    expect(rejectStop(bounds, 100)).toBe(
      'A stop at 100 closes it at once: the price is 100. Set it below 100, or close the position.',
    );
    expect(rejectStop(bounds, 91)).toBe('A stop at 91 lies beyond the liquidation price 91. Set 91.01 or higher.');
    expect([rejectStop(bounds, 91.01), rejectStop({ ...bounds, liquidationPrice: null }, 91)]).toEqual([null, null]);
    expect(rejectTarget(bounds, 100)).toContain('Set it above 100');
    const short = { ...bounds, side: 'SHORT', liquidationPrice: 109 } as const;
    expect(rejectStop(short, 109)).toContain('Set 108.99 or lower.');
    expect(rejectStop(short, 99.99)).toContain('Set it above 100');
    expect([rejectTarget(short, 99.99), rejectTarget(short, 0)]).toEqual([
      null,
      'The target rounds to 0. Set a higher price.',
    ]);
  });
});
