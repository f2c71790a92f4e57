// Long because it is one table of liquidations worked by hand.
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

// Isolated margin is the most a position loses besides its costs. At 100 with leverage 10 (margin 100) the price may fall to
// 90 or rise to 110; with leverage 50 (margin 20) to 98 or 102. The mark price stays near 99 or 101, so it liquidates nothing.
const near = { stopLossFraction: 0.05 };
const steep = { leverage: 50 };
const calmMark = `
      100 100 100
      100 101 99
      99  100 98.9`;

// Long from 100 with leverage 10: liquidation at 90.45, bankrupt at 90, target 104.
const seenByMark = `
  100 100 100
  100 101 99
  99  104 90`;
const targetFirst = `
  99  105 98.5 104
  104 104 97  98
  98  98  97  98
  98  100 98  100`;

describeTables('finer candles beside mark prices', [
  {
    title:
      'a quarter whose last price passes the liquidation price does not liquidate where the mark price stayed away',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  105 90.2 100`,
    mark: `
      100 100 100
      100 101 99
      99  104 93`,
    fine: {
      from: 2,
      bars: `
        99  100 90.2 95
        95  105 95  104
        104 104 100 101
        101 101 100 100`,
    },
    params: { stopLossFraction: 0.098 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90.2 SL gross -98 clear'],
  },
  {
    title: 'a liquidation that only the mark price reaches has no time: the bar stays ambiguous',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  105 97  100`,
    mark: seenByMark,
    fine: { from: 2, bars: targetFirst },
    params: { stopLossFraction: 0.2 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 ambiguous'],
    summary: { optimisticNetPnl: 40 },
  },
  {
    title: 'a nearer stop comes before such a liquidation, and quarters say when',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  105 97  100`,
    mark: seenByMark,
    fine: { from: 2, bars: targetFirst },
    costs: levered,
    trades: ['LONG 1@100 > 2@104 TP gross 40 clear'],
  },
  {
    title: 'a liquidation that both prices reach is in the quarter of the last price',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  105 90  100`,
    mark: seenByMark,
    fine: {
      from: 2,
      bars: `
        99  100 90  95
        95  105 95  104
        104 104 100 101
        101 101 100 100`,
    },
    params: { stopLossFraction: 0.2 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 clear'],
  },
]);

describeTables('a fill that would lose more than the margin (X71)', [
  {
    title:
      'a long whose price gaps over its stop to 85 before the mark price moves: 150 at the open, 100 by the margin',
    bars: `
      100 100 100 100 L
      100 101 99  99
      85  86  84  85`,
    mark: calmMark,
    params: near,
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 net -100 roe -1 slippage 0'],
    summary: { liquidationCount: 1, netPnl: -100 },
  },
  {
    title: 'a short whose price gaps over its stop to 115 before the mark price moves',
    bars: `
      100 100 100 100 S
      100 101 99  101
      115 116 114 115`,
    mark: calmMark,
    params: near,
    costs: levered,
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100 net -100'],
  },
  {
    title: 'a gap to 91 stays a stop at the open: 90 of the margin of 100',
    bars: `
      100 100 100 100 L
      100 101 99  99
      91  92  91  91`,
    mark: calmMark,
    params: near,
    costs: levered,
    trades: ['LONG 1@100 > 2@91 SL gross -90'],
  },
  {
    title: 'a gap to exactly the bankruptcy price loses the margin and no more: a stop, with its fee',
    bars: `
      100 100 100 100 S
      100 101 99  101
      110 110 109 110`,
    mark: calmMark,
    params: near,
    costs: { leverage: 10, takerFeeFraction: 0.001 },
    trades: ['SHORT 1@100 > 2@110 SL gross -100 fees 2.1'],
  },
  {
    title:
      'without a mark price the order LIQ, SL, TP decides at an open beyond several: 90.2 is beyond 90.45, so LIQ at 90',
    bars: `
      100 100 100 100 L
      100 101 99  99
      90.2 91 90  91`,
    params: near,
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100'],
  },
  {
    title:
      'a long whose stop slips from 98.6 to 97.614, beyond 98; the low of 98.55 is above the liquidation price of 98.4925',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  98.55 98.7`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.01, takerFeeFraction: 0.001 },
    trades: ['LONG 1@100 > 2@98 LIQ gross -20 fees 1 net -21 slippage 0'],
    summary: { stopBeyondLiquidationCount: 0 },
  },
  {
    title: 'a short whose stop slips from 101.4 to 102.414, beyond 102; the high of 101.45 is below 101.4925',
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 101.45 101 101.2`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.01, takerFeeFraction: 0.001 },
    trades: ['SHORT 1@100 > 2@102 LIQ gross -20 fees 1 net -21'],
  },
  {
    title: 'half the slippage stays inside the margin: 98.6 x 0.995 = 98.107',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  98.55 98.7`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.005 },
    trades: ['LONG 1@100 > 2@98.107 SL gross -18.93'],
  },
  {
    title: 'it holds in the entry bar of a long',
    bars: `
      100 100 100 100 L
      100 101 98.55 99
      99  99  99  99`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.01 },
    trades: ['LONG 1@100 > 1@98 LIQ gross -20'],
  },
  {
    title: 'it holds in the entry bar of a short',
    bars: `
      100 100 100 100 S
      100 101.45 99 101
      101 101 101 101`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.01 },
    trades: ['SHORT 1@100 > 1@102 LIQ gross -20'],
  },
  {
    title: 'the fill counts as it is rounded to ticks: 99 x 0.988 = 97.812 is sold at 97.5, beyond 98',
    bars: `
      100 100 100 100 L
      100 101 99.5 100
      100 100 98.9 99`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.012, tickSize: 0.5 },
    trades: ['LONG 1@100 > 2@98 LIQ gross -20 stop 99'],
  },
  {
    title: 'and 99 x 0.992 = 98.208 is sold at 98, which loses the margin and no more',
    bars: `
      100 100 100 100 L
      100 101 99.5 100
      100 100 98.9 99`,
    params: { stopLossFraction: 0.014 },
    costs: { leverage: 50, stopSlippageFraction: 0.008, tickSize: 0.5 },
    trades: ['LONG 1@100 > 2@98 SL gross -20'],
  },
  {
    title: 'a position that is closed by force at 97 lost its margin at 98',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  97  97`,
    mark: calmMark,
    params: near,
    costs: steep,
    trades: ['LONG 1@100 > 2@98 LIQ gross -20'],
    summary: { liquidationCount: 1, forcedCloseCount: 0 },
  },
  {
    title: 'a time barrier at an open of 103 closes a short at 102',
    bars: `
      100 100 100 100 S
      100 101 99  101
      103 103 103 103`,
    mark: calmMark,
    params: { stopLossFraction: 0.05, holdingBarsMax: 1 },
    costs: steep,
    trades: ['SHORT 1@100 > 2@102 LIQ gross -20'],
  },
  {
    title: 'a moved stop is bound by the margin as well',
    // Best 110 moves the stop to 108.9; the next open of 85 is beyond 90.
    bars: `
      100 100 100 100 L
      100 110 100 110
      85  86  84  85`,
    mark: calmMark,
    trailing: { callbackFraction: 0.01 },
    params: { stopLossFraction: 0.05, takeProfitFraction: 0.2 },
    costs: levered,
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 stop 108.9'],
  },
  {
    title: 'a short at leverage 1 loses at most its margin: an open of 250 with a calm mark price closes it at 200',
    bars: `
      100 100 100 100 S
      100 101 99  101
      250 260 240 250`,
    mark: calmMark,
    trades: ['SHORT 1@100 > 2@200 LIQ gross -1000'],
    summary: { ruinIndex: 2 },
  },
  {
    title: 'a long at leverage 1 can lose no more than it paid: an open of 40 is a stop at 40',
    bars: `
      100 100 100 100 L
      100 101 99  99
      40  41  39  40`,
    trades: ['LONG 1@100 > 2@40 SL gross -600'],
  },
  {
    title:
      'inside one candle the nearer level is met first: the stop at its level, although the low is beyond bankruptcy',
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 120 101 119`,
    params: near,
    costs: levered,
    trades: ['SHORT 1@100 > 2@105 SL gross -50'],
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
      leverage: 10,
      notional: 1_100_000,
      initialEquity: 200_000,
      liquidationModel: 'bybit',
      tiers: [
        { notionalFloor: 0, maintenanceMarginFraction: 0.005, maintenanceAmount: 0, leverageMax: 100 },
        { notionalFloor: 1_000_000, maintenanceMarginFraction: 0.01, maintenanceAmount: 5000, leverageMax: 50 },
      ],
    },
    trades: ['LONG 1@20000 > 2@18000 LIQ gross -110000 liq 18109.090909090908'],
  },
]);

describe('X60 the liquidation formulas', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await loadTestEngine();
  }, engineTimeoutMs);

  // Worked by hand: entry 50 000, m 0.4 %, fee 0.05 %, 1 BTC long.
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
