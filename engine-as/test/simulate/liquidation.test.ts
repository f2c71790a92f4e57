import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { tierRows } from '@sextant/workers/src/tasks/rules.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine } from '../backtest/support/kernel.ts';
import { describeTables } from '../backtest/support/tables.ts';

// At 100 with leverage 10: 10 units, margin 100. Binance, m 0.5 %:
// long (100 - 1000) / (10 * (0.005 - 1)) = 90.452261..., short (100 + 1000) / (10 * (0.005 + 1)) = 109.452736...
// The margin is gone at 90 and at 110. A stop of 20 % lies behind the liquidation price.
const far = { stopLossFraction: 0.2 };
const levered = { leverage: 10 };

describeTables('liquidation', [
  {
    title: 'a long whose low reaches the liquidation price loses its margin',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90.4 95`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 net -100 roe -1 liq 90.45226130653266 margin 100'],
    summary: { liquidationCount: 1, stopBeyondLiquidationCount: 1 },
  },
  {
    title: 'a short whose high reaches the liquidation price loses its margin',
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 109.5 101 105`,
    params: far,
    costs: levered,
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100 net -100 roe -1 liq 109.45273631840796'],
    summary: { liquidationCount: 1 },
  },
  {
    title: 'a low just above the liquidation price is survived',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90.46 95`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 2@95 END gross -50'],
    summary: { liquidationCount: 0 },
  },
  {
    title: 'it is live in the entry bar',
    bars: `
      100 100 100 100 L
      100 101 90  95
      95  95  95  95`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 1@90 LIQ gross -100'],
  },
  {
    title: 'a stop that is nearer than the liquidation price is met first',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  85  86`,
    params: { stopLossFraction: 0.05 },
    costs: levered,
    trades: ['LONG 1@100 > 2@95 SL gross -50 clear'],
    summary: { liquidationCount: 0, stopBeyondLiquidationCount: 0 },
  },
  {
    title: 'an open beyond the liquidation price is a liquidation even with a nearer stop, and the loss is capped',
    // Filled at the open of 85 the stop would lose 150; the isolated margin is 100.
    bars: `
      100 100 100 100 L
      100 101 99  99
      85  86  84  85`,
    params: { stopLossFraction: 0.05 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100'],
  },
  {
    title: 'an open between stop and liquidation price is a stop at the open',
    bars: `
      100 100 100 100 S
      100 101 99  101
      107 112 106 110`,
    params: { stopLossFraction: 0.05 },
    costs: levered,
    trades: ['SHORT 1@100 > 2@107 SL gross -70'],
  },
  {
    title: 'leverage 1 has no liquidation price',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  60  61`,
    params: { stopLossFraction: 0.5 },
    trades: ['LONG 1@100 > 2@61 END gross -390 liq -1'],
  },
  {
    title: 'liquidation price and target in one bar: the liquidation comes first and the bar is ambiguous',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  105 90  95`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 ambiguous'],
    summary: { optimisticNetPnl: 40 },
  },
  {
    title: 'the entry fee is on top of the margin, an exit fee is not',
    // 0.0005 * 1000 = 0.5.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90  95`,
    params: far,
    costs: { leverage: 10, takerFeeFraction: 0.0005 },
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 fees 0.5 net -100.5'],
  },
  {
    title: 'funding is on top of the margin too',
    // 10 * 99 * 0.001 = 0.99 at the open of bar 2.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90  95`,
    params: far,
    costs: levered,
    funding: '2 0.001',
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 funding 0.99 net -100.99'],
  },
  {
    title: 'the mark price liquidates although the last price did not get there',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  95  96`,
    mark: `
      100 100 100
      100 101 99
      99  99  90`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100'],
  },
  {
    title: 'a wick of the last price alone does not liquidate when there is a mark price',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  88  96`,
    mark: `
      100 100 100
      100 101 99
      99  99  93`,
    params: far,
    costs: levered,
    trades: ['LONG 1@100 > 2@96 END gross -40'],
  },
  {
    title: 'a mark price that opens beyond the liquidation price of a short closes it at once',
    bars: `
      100 100 100 100 S
      100 101 99  101
      104 105 103 104`,
    mark: `
      100 100 100
      100 101 99
      110 111 109`,
    params: far,
    costs: levered,
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100'],
  },
  {
    title: 'a mark price that opens beyond the liquidation price comes before a stop that the traded open gapped over',
    // Traded open 94, below the stop of 95; mark open 90, below 90.45.
    bars: `
      100 100 100 100 L
      100 101 99  99
      94  95  93  94`,
    mark: `
      100 100 100
      100 101 99
      90  95  90`,
    params: { stopLossFraction: 0.05 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100'],
  },
  {
    title: 'the Bybit model values the maintenance margin at entry',
    // 100 - (100 - 1000 * 0.005) / 10 = 90.5.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90.5 95`,
    params: far,
    costs: { leverage: 10, liquidationModel: 'bybit' },
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 liq 90.5'],
  },
  {
    title: 'the OKX model includes the closing fee',
    // (100 + 100 / 10) / (1 + 0.005 + 0.0005) = 110 / 1.0055 = 109.398309...
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 109.4 101 105`,
    params: far,
    costs: { leverage: 10, liquidationModel: 'okx', takerFeeFraction: 0.0005 },
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100 liq 109.39830929885629 fees 0.5'],
  },
  {
    title: 'the tier is the one of the liquidation notional, below the tier of the entry',
    // Tier of 950 and more: m 1 %, c 950 * 0.006 = 5.7. Entry 1000: (105.7 - 1000) / (10 * -0.99) = 90.3333; there the notional is
    // 903.3, in the first tier: (100 - 1000) / (10 * -0.996) = 90.361446, still 903.6. The low of 90.35 decides.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90.35 95`,
    params: far,
    costs: {
      leverage: 10,
      tiers: [
        { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 50 },
        { notionalFloor: 950, maintenanceMarginFraction: 0.01, maintenanceAmount: 5.7, leverageMax: 20 },
      ],
    },
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 liq 90.36144578313252'],
  },
  {
    title: 'the tier is the one of the liquidation notional, above the tier of the entry',
    // Entry 1000 in the first tier: 1100 / 10.04 = 109.5618, notional 1095.6: second tier, c 1050 * 0.006 = 6.3:
    // 1106.3 / (10 * 1.01) = 109.534653, still 1095.3.
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 109.54 101 105`,
    params: far,
    costs: {
      leverage: 10,
      tiers: [
        { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 50 },
        { notionalFloor: 1050, maintenanceMarginFraction: 0.01, maintenanceAmount: 6.3, leverageMax: 20 },
      ],
    },
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100 liq 109.53465346534654'],
  },
]);

describeTables("Bybit's tier", [
  {
    title: 'is the one of the entry value, although the liquidation value lies in the tier below',
    // 55 at 20,000 is 1,100,000: m 1 %, c 1,000,000 * 0.005 = 5,000, margin 110,000:
    // 20,000 - (110,000 - 6,000) / 55 = 18,109.0909; the first tier would say 18,100.
    bars: `
      20000 20000 20000 20000 L
      20000 20100 19900 20000
      20000 20000 18105 19000`,
    params: { stopLossFraction: 0.2 },
    costs: {
      ...{ leverage: 10, notional: 1_100_000, initialEquity: 200_000, liquidationModel: 'bybit' },
      tiers: [
        { notionalFloor: 0, maintenanceMarginFraction: 0.005, maintenanceAmount: 0, leverageMax: 100 },
        { notionalFloor: 1_000_000, maintenanceMarginFraction: 0.01, maintenanceAmount: 5000, leverageMax: 50 },
      ],
    },
    trades: ['LONG 1@20000 > 2@18000 LIQ gross -110000 liq 18109.090909090908'],
  },
]);

describe('the liquidation formulas', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await loadTestEngine();
  }, engineTimeoutMs);

  // QUANT 17: entry 50 000, m 0.4 %, fee 0.05 %, 1 BTC long.
  it.each([
    { leverage: 10, binance: 45_180.7, bybit: 45_200.0, okx: 45_203.4 },
    { leverage: 125, binance: 49_799.2, bybit: 49_800, okx: 49_824.2 },
  ])('give the measured prices of a long at $leverage x', ({ leverage, binance, bybit, okx }) => {
    const { raw } = engine;
    const margin = 50_000 / leverage;
    expect(raw.liquidationBinance(1, 50_000, 1, margin, 0.004, 0)).toBeCloseTo(binance, 1);
    expect(raw.liquidationBybit(1, 50_000, 1, margin, 0.004, 0)).toBeCloseTo(bybit, 1);
    expect(raw.liquidationOkx(1, 50_000, 1, margin, 0.004, 0.0005)).toBeCloseTo(okx, 1);
  });

  it("gives Bybit's published example", () => {
    // 1 BTC at 20 000, 50x, m 0.5 %: 20 000 - (400 - 100) = 19 700 for a long, 20 300 for a short.
    expect(engine.raw.liquidationBybit(1, 20_000, 1, 400, 0.005, 0)).toBe(19_700);
    expect(engine.raw.liquidationBybit(-1, 20_000, 1, 400, 0.005, 0)).toBe(20_300);
  });

  it('comes nearer to the entry with every step of leverage, for both sides and all venues', () => {
    const { raw } = engine;
    for (const side of [1, -1]) {
      const distances = [2, 3, 5, 10, 20, 50, 100, 125].map((leverage) => {
        const margin = 50_000 / leverage;
        return [
          raw.liquidationBinance(side, 50_000, 1, margin, 0.004, 0),
          raw.liquidationBybit(side, 50_000, 1, margin, 0.004, 0),
          raw.liquidationOkx(side, 50_000, 1, margin, 0.004, 0.0005),
        ].map((price) => side * (50_000 - price));
      });
      distances.slice(1).forEach((row, i) => {
        row.forEach((distance, venue) => {
          expect(distance).toBeGreaterThan(0);
          expect(distance).toBeLessThan(distances[i]![venue]!);
        });
      });
    }
  });

  it('allows the leverage of the tier that holds the notional, its floor included', () => {
    const tiers = engine.push(
      tierRows([
        { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 125 },
        { notionalFloor: 50_000, maintenanceMarginFraction: 0.005, maintenanceAmount: 50, leverageMax: 100 },
      ]),
    );
    expect([0, 49_999.99, 50_000, 1e9].map((notional) => engine.raw.leverageMax(tiers, 2, notional))).toEqual([
      125, 125, 100, 100,
    ]);
    expect(engine.raw.leverageMax(tiers, 0, 1e9)).toBe(Infinity);
  });
});
