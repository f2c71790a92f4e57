import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import { liquidationPriceOf, type Plan, planPosition } from '../../src/positions/plan.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = instantiate((await testEngine()).module);
}, engineTimeoutMs);

interface Order {
  side: 'LONG' | 'SHORT';
  /** In ticks, as exchanges quote. */
  entry: number;
  stopAway: number;
  targetAway: number;
  decimals: number;
  steps: number;
  stepDecimals: number;
  leverage: number;
}

/** The decimal that an exchange would send: written, then read. */
const decimal = (count: number, decimals: number): number => Number(`${count}e-${decimals}`);

function planOf({ side, entry, stopAway, targetAway, decimals, steps, stepDecimals, leverage }: Order, more = {}) {
  const sign = side === 'LONG' ? 1 : -1;
  return planPosition(engine, {
    side,
    exchange: 'binance',
    timeMs: 0,
    leverage,
    price: decimal(entry, decimals),
    quantity: decimal(steps, stepDecimals),
    stopPrice: decimal(entry - sign * stopAway, decimals),
    targetPrice: decimal(entry + sign * targetAway, decimals),
    tickSize: decimal(1, decimals),
    stepSize: decimal(1, stepDecimals),
    minNotional: 0,
    stopSlippageFraction: 0,
    takerFeeFraction: 0.0005,
    maintenanceMarginFraction: 0.005,
    ...more,
  });
}

const order = fc.record<Order>({
  side: fc.constantFrom('LONG', 'SHORT'),
  entry: fc.integer({ min: 1000, max: 2_000_000 }),
  stopAway: fc.integer({ min: 1, max: 900 }),
  targetAway: fc.integer({ min: 1, max: 900 }),
  decimals: fc.integer({ min: 0, max: 7 }),
  steps: fc.integer({ min: 1, max: 1_000_000 }),
  stepDecimals: fc.integer({ min: 0, max: 4 }),
  leverage: fc.integer({ min: 1, max: 125 }),
});

describe('a planned position', () => {
  it('keeps prices and sizes that lie on the grid of the exchange, to the bit and for either side', () => {
    fc.assert(
      fc.property(order, (each) => {
        const plan = planOf(each);
        const sign = each.side === 'LONG' ? 1 : -1;
        expect(plan).toMatchObject({
          entryPrice: decimal(each.entry, each.decimals),
          stopPrice: decimal(each.entry - sign * each.stopAway, each.decimals),
          targetPrice: decimal(each.entry + sign * each.targetAway, each.decimals),
          quantity: decimal(each.steps, each.stepDecimals),
        });
      }),
      { numRuns: 3000, seed: 20260107 },
    );
  });

  it('rounds what lies between towards the entry and the quantity down, and never by a whole tick or step', () => {
    fc.assert(
      fc.property(order, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (each, part) => {
        const sign = each.side === 'LONG' ? 1 : -1;
        const tick = decimal(1, each.decimals);
        const step = decimal(1, each.stepDecimals);
        const [stop, target] = [
          decimal(each.entry - sign * each.stopAway, each.decimals) - sign * part * tick,
          decimal(each.entry + sign * each.targetAway, each.decimals) + sign * part * tick,
        ];
        const quantity = decimal(each.steps, each.stepDecimals) + part * step;
        const plan = planOf(each, { stopPrice: stop, targetPrice: target, quantity }) as Plan;
        expect(plan.stopPrice).toBe(decimal(each.entry - sign * each.stopAway, each.decimals));
        expect(plan.targetPrice).toBe(decimal(each.entry + sign * each.targetAway, each.decimals));
        expect(plan.quantity).toBe(decimal(each.steps, each.stepDecimals));
        // So the stop never costs more than was requested.
        const requestCount = Math.abs(plan.entryPrice - stop) * quantity + 0.0005 * quantity * (plan.entryPrice + stop);
        if (sign > 0) expect(plan.lossAtStop).toBeLessThanOrEqual(requestCount * (1 + 1e-9));
      }),
      { numRuns: 2000, seed: 20260108 },
    );
  });

  it('has figures that add up: margin, fees, loss, gain, and a liquidation between the entry and the end of the margin', () => {
    fc.assert(
      fc.property(order, (each) => {
        const plan = planOf(each) as Plan;
        const sign = each.side === 'LONG' ? 1 : -1;
        const { entryPrice, quantity, stopPrice, targetPrice } = plan;
        const close = (got: number, want: number) => {
          expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(want), plan.notional));
        };
        close(plan.notional, entryPrice * quantity);
        close(plan.margin, (entryPrice * quantity) / each.leverage);
        close(plan.entryFee, 0.0005 * entryPrice * quantity);
        close(plan.lossAtStop, quantity * (Math.abs(entryPrice - stopPrice) + 0.0005 * (entryPrice + stopPrice)));
        close(plan.gainAtTarget, quantity * (Math.abs(targetPrice - entryPrice) - 0.0005 * (entryPrice + targetPrice)));
        if (plan.liquidationPrice === null) return;
        expect(plan.isStopNearer).toBe(sign * stopPrice > sign * plan.liquidationPrice);
        // With so much leverage that the maintenance margin exceeds the margin it would be liquidated at once, beyond the entry.
        const bankrupt = entryPrice - (sign * entryPrice) / each.leverage;
        expect(sign * plan.liquidationPrice).toBeGreaterThanOrEqual(sign * bankrupt - 1e-9 * entryPrice);
      }),
      { numRuns: 2000, seed: 20260109 },
    );
  });

  it.each([
    // 20,000 at 50x with 0.5 % maintenance: the example that Bybit publishes.
    ['bybit', 19_700, 20_300],
    // (20,000 -+ 400) / (1 -+ 0.005), and with the taker fee of 0.05 % in the rate.
    ['binance', 19_600 / 0.995, 20_400 / 1.005],
    ['okx', 19_600 / 0.9945, 20_400 / 1.0055],
  ] as const)('is liquidated by the formula of %s', (exchange, long, short) => {
    const opened = { price: 20_000, quantity: 1, leverage: 50 };
    const costs = { exchange, maintenanceMarginFraction: 0.005, takerFeeFraction: 0.0005 };
    for (const [side, price] of [['LONG', long] as const, ['SHORT', short] as const]) {
      const levels = { stopPrice: side === 'LONG' ? 19_900 : 20_100, targetPrice: side === 'LONG' ? 20_100 : 19_900 };
      const rules = { tickSize: 0, stepSize: 0, minNotional: 0, stopSlippageFraction: 0 };
      const plan = planPosition(engine, { ...opened, ...costs, ...levels, ...rules, side, timeMs: 0 });
      expect(plan?.liquidationPrice).toBeCloseTo(price, 7);
      expect(liquidationPriceOf(engine, { ...opened, side }, costs)).toBeCloseTo(price, 7);
    }
  });

  it.each([
    ['nothing is left below a step', { quantity: 0.0009, stepSize: 0.001 }],
    ['the notional is a cent below the least', { quantity: 0.499, stepSize: 0.001, minNotional: 50 }],
    [
      'the rounded size is below the least although the requested one is not',
      { quantity: 0.59, stepSize: 0.1, minNotional: 55 },
    ],
  ])('is none when %s', (_what, more) => {
    const of100: Order = {
      side: 'LONG',
      entry: 10_000,
      stopAway: 200,
      targetAway: 400,
      decimals: 2,
      steps: 1,
      stepDecimals: 3,
      leverage: 10,
    };
    expect(planOf(of100, more)).toBeNull();
  });
});
