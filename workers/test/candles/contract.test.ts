import { describe, expect, it } from 'vitest';
import {
  type Contract,
  contractOfCosts,
  leverageAllowed,
  marginNotes,
  unknownContract,
  withContract,
} from '../../src/candles/contract.ts';
import { findCutSizes } from '../../src/protocol/cutSizes.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';

const tiers = [
  { notionalFloor: 0, maintenanceMarginFraction: 0.005, maintenanceAmount: 0, leverageMax: 100 },
  { notionalFloor: 2_000_000, maintenanceMarginFraction: 0.01, maintenanceAmount: 10_000, leverageMax: 50 },
];
const contract = {
  exchange: 'bybit',
  symbol: 'BTCUSDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 5,
  maxQuantity: 0,
  leverageMax: 100,
  tiers,
} as const satisfies Contract;

describe('costs under the rules of a contract', () => {
  it('hold every rule, and the leverage that the exchange grants at their size', () => {
    const costs = withContract({ ...defaultCosts, leverage: 125, notional: 1e7 }, contract);
    expect(costs).toMatchObject({ leverage: 50, liquidationModel: 'bybit', stepSize: 0.001, minNotional: 5 });
    expect(costs.rulesOf).toEqual({ exchange: 'bybit', symbol: 'BTCUSDT', leverageAsked: 125 });
    expect(contractOfCosts(costs)).toEqual(contract);
  });

  it('are granted by the tier that holds the size', () => {
    expect([1, 1_999_999, 2_000_000, 1e9].map((notional) => leverageAllowed(contract, notional))).toEqual([
      100, 100, 50, 50,
    ]);
    expect(leverageAllowed({ leverageMax: null, tiers: [] }, 1e9)).toBe(125);
    expect(withContract({ ...defaultCosts, leverage: 3 }, contract).rulesOf).not.toHaveProperty('leverageAsked');
  });

  it('have no leverage from the size on that ends the tiers', () => {
    const last = {
      notionalFloor: 5_000_000,
      maintenanceMarginFraction: 0.01,
      maintenanceAmount: 10_000,
      leverageMax: 0,
    };
    const ending = { ...contract, tiers: [...tiers, last] };
    expect([4_999_999, 5_000_000].map((notional) => leverageAllowed(ending, notional))).toEqual([50, 0]);
    // Left for the run to reject, naming the size.
    const costs = withContract({ ...defaultCosts, leverage: 125, notional: 1e7 }, ending);
    expect(costs.leverage).toBe(125);
    expect(costs.rulesOf).not.toHaveProperty('leverageAsked');
    expect(contractOfCosts(costs)).toEqual(ending);
  });
});

describe('a contract whose tiers are unknown', () => {
  const unknown: Contract = { ...contract, leverageMax: null, tiers: null };

  it('lowers the leverage to 20x, says so, and takes the one maintenance rate of the costs', () => {
    const costs = withContract(
      { ...defaultCosts, leverage: 125, notional: 10_000, maintenanceMarginFraction: 0.004 },
      unknown,
    );
    expect(costs.leverage).toBe(20);
    expect(costs.rulesOf).toMatchObject({ leverageAsked: 125, areTiersAssumed: true });
    expect(costs.tiers.map(({ maintenanceMarginFraction }) => maintenanceMarginFraction)).toEqual([0.004, 0.004]);
    expect(marginNotes(costs)).toEqual([
      'Leverage lowered from 125x to 20x, the maximum while the leverage tiers are unknown.',
      'Leverage tiers unknown: maintenance margin 0.4 % at every size.',
    ]);
    expect(contractOfCosts(costs)).toEqual(unknown);
  });

  it('grants less where the exchange states less', () => {
    expect(withContract({ ...defaultCosts, leverage: 15 }, { ...unknown, leverageMax: 10 }).leverage).toBe(10);
  });

  it('is also one of which nothing is known, and one of an older run without tiers', () => {
    expect(withContract({ ...defaultCosts, leverage: 50 }, unknownContract('okx', 'XUSDT'))).toMatchObject({
      leverage: 20,
      liquidationModel: 'okx',
      tickSize: 0,
    });
    expect(contractOfCosts({ rulesOf: { exchange: 'binance', symbol: 'BTCUSDT' } })?.tiers).toBeNull();
  });
});

describe('sizes that the account could not pay for', () => {
  const costs = { initialEquity: 100, notional: 1000, leverage: 10, takerFeeFraction: 0, stepSize: 0 };
  const fixed = { isByRisk: false, isCompounding: false };
  // Margin 100 of a thousand: after a loss of 50 only 500 fit.
  const trade = (entryTimeMs: number, quantity: number, netPnl: number) => ({
    entryPrice: 100,
    entryTimeMs,
    quantity,
    netPnl,
  });

  it('are counted from the first one on', () => {
    const trades = [trade(1, 10, -50), trade(2, 5, 60), trade(3, 10, -20), trade(4, 9, 0)];
    expect(findCutSizes(trades, costs, fixed)).toEqual({ count: 2, fromMs: 2 });
  });

  it('are none where the account pays for all of them, and none that the step rounds', () => {
    expect(findCutSizes([trade(1, 10, 5), trade(2, 10, 5)], costs, fixed)).toBeNull();
    expect(findCutSizes([trade(1, 9.5, 0)], { ...costs, stepSize: 1 }, fixed)).toBeNull();
  });
});
