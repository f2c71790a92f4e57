import { STATUS_LEVERAGE_TOO_HIGH } from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine, runKernel } from '../backtest/support/kernel.ts';
import { candlesAt, describeTables, runOf } from '../backtest/support/tables.ts';

// Notional 1000 at 10x needs a margin of 100. A stop of 2 % loses 20, a liquidation the margin.
const levered = { leverage: 10 };
const stoppedTwice = `
  100 100 100 100 L
  100 101 98  98  L
  100 101 98  98`;

describeTables('the size of an entry', [
  {
    title: 'is what the equity covers with margin and entry fee when the notional needs more',
    // 100 x (1 / 10 + 0.0005) = 10.05 a unit: 100.4 / 10.05 units. Each loses 2 and pays 0.0005 x (100 + 98).
    bars: `
      100 100 100 100 L
      100 101 98  98`,
    costs: { ...levered, takerFeeFraction: 0.0005, initialEquity: 100.4 },
    trades: ['LONG 1@100 > 1@98 SL quantity 9.990049751243781 margin 99.90049751243781 gross -19.980099502487562'],
    summary: { droppedSignalCount: 0 },
  },
  {
    title: 'at leverage 1 with a notional equal to the equity leaves room for the fee: 1000 / 100.1 units',
    bars: `
      100 100 100 100 L
      100 104 100 104`,
    costs: { takerFeeFraction: 0.001 },
    trades: ['LONG 1@100 > 1@104 TP quantity 9.99000999000999 margin 999.000999000999 gross 39.96003996003996'],
    summary: { droppedSignalCount: 0 },
  },
  {
    title: 'is rounded down to the step: 9.9',
    bars: `
      100 100 100 100 S
      100 100 96  96`,
    costs: { takerFeeFraction: 0.001, stepSize: 0.1 },
    trades: ['SHORT 1@100 > 1@96 TP quantity 9.9 gross 39.6'],
  },
  {
    title: 'RULE-192 is at most the largest order, on the step: 7.2 of 7.25, without a loss of other trades',
    bars: `
      100 100 100 100 S
      100 100 96  96`,
    costs: { stepSize: 0.1, maxQuantity: 7.25 },
    trades: ['SHORT 1@100 > 1@96 TP quantity 7.2 gross 28.8'],
  },
  {
    title: 'RULE-192 is what the account covers where that is less than the largest order',
    bars: `
      100 100 100 100 S
      100 100 96  96`,
    costs: { ...levered, takerFeeFraction: 0.001, initialEquity: 50.5, maxQuantity: 6 },
    trades: ['SHORT 1@100 > 1@96 TP quantity 5 gross 20'],
  },
  {
    title: 'RULE-192 is dropped where the largest order is below the least',
    bars: stoppedTwice,
    costs: { maxQuantity: 4, minNotional: 401 },
    trades: [],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 2, marginShort: 0 } },
  },
  {
    title: 'is whole as long as margin and fee are covered: exactly 100.5; the next one is smaller by what was lost',
    // 100.5 - 20 - 0.99 = 79.51; 79.51 / 10.05 units.
    bars: stoppedTwice,
    costs: { ...levered, takerFeeFraction: 0.0005, initialEquity: 100.5 },
    trades: ['LONG 1@100 > 1@98 SL gross -20 fees 0.99 quantity 10', 'LONG 2@100 > 2@98 SL quantity 7.911442786069652'],
    summary: { droppedSignalCount: 0 },
  },
  {
    title: 'is taken from what earlier trades left: 120 - 20 covers a second whole one',
    bars: stoppedTwice,
    costs: { ...levered, initialEquity: 120 },
    trades: ['LONG 1@100 > 1@98 SL gross -20', 'LONG 2@100 > 2@98 SL gross -20'],
  },
  {
    title: 'is 9.99 units after 119.9 - 20',
    bars: stoppedTwice,
    costs: { ...levered, initialEquity: 119.9 },
    trades: ['LONG 1@100 > 1@98 SL gross -20', 'LONG 2@100 > 2@98 SL quantity 9.99 gross -19.98'],
  },
  {
    title: 'of a million on an equity of 100 is 1000: the position can lose what the account has and no more',
    bars: `
      100 100 100 100 S
      100 101 99  100
      130 130 130 130`,
    costs: { ...levered, notional: 1e6, initialEquity: 100 },
    trades: ['SHORT 1@100 > 2@110 LIQ quantity 10 gross -100'],
    summary: { droppedSignalCount: 0, ruinIndex: 2 },
  },
  {
    title: 'is dropped when the equity left does not cover the smallest order',
    // 999.000999 is below 999.5, the set notional is not.
    bars: stoppedTwice,
    costs: { takerFeeFraction: 0.001, minNotional: 999.5 },
    trades: [],
    summary: {
      droppedSignalCount: 2,
      droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 2 },
      netPnl: 0,
      ruinIndex: null,
    },
  },
  {
    title: 'is dropped when less than a billionth of the notional is covered',
    // A ten-billionth of 1000 USDT is what rounding leaves of a lost account.
    bars: stoppedTwice,
    costs: { initialEquity: 1e-7 },
    trades: [],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 2 } },
  },
]);

describeTables('an account without equity', [
  {
    title: 'stops trading, names the bar, and counts no more signals',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  80  80  L
      100 104 99  104 L
      100 104 99  104`,
    params: { stopLossFraction: 0.2 },
    costs: { ...levered, initialEquity: 100 },
    trades: ['LONG 1@100 > 2@90 LIQ gross -100'],
    summary: { ruinIndex: 2, droppedSignalCount: 0, skippedSignalCount: 0, maxDrawdownFraction: 1 },
    equity: [100, 90, 0, 0, 0],
  },
  {
    title: 'can owe the entry fee and the funding, which are on top of the margin',
    // 100.5 - 100 - 0.5 = 0, then funding 10 * 99 * 0.001 = 0.99 at the open of bar 2.
    bars: `
      100 100 100 100 S
      100 101 99  99
      99  112 99  111
      111 111 111 111 S
      100 100 90  90`,
    params: { stopLossFraction: 0.2 },
    costs: { ...levered, takerFeeFraction: 0.0005, initialEquity: 100.5 },
    funding: '2 -0.001',
    trades: ['SHORT 1@100 > 2@110 LIQ gross -100 fees 0.5 funding 0.99 net -101.49'],
    summary: { ruinIndex: 2, droppedSignalCount: 0 },
  },
  {
    title: 'is what a short at leverage 1 leaves when the price doubles: it never loses more than its margin',
    // (1000 + 1000) / (10 * 1.005) = 199.004975...; the margin is gone at 200.
    bars: `
      100 100 100 100 S
      100 101 99  101
      250 260 240 250`,
    params: { stopLossFraction: 0.99 },
    trades: ['SHORT 1@100 > 2@200 LIQ gross -1000 liq 199.00497512437812'],
    summary: { ruinIndex: 2, liquidationCount: 1 },
  },
]);

describe('what is rejected or counted before a run', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await loadTestEngine();
  }, engineTimeoutMs);
  const flat = { title: '', bars: '100 100 100 100\n'.repeat(10), trades: [] };

  it.each([
    { liquidationModel: 'binance', leverage: 190, isRejected: false },
    { liquidationModel: 'okx', leverage: 190, isRejected: true },
    { liquidationModel: 'okx', leverage: 180, isRejected: false },
    { liquidationModel: 'binance', leverage: 200, isRejected: true },
  ] as const)('$liquidationModel at $leverage x: $isRejected', ({ liquidationModel, leverage, isRejected }) => {
    // m 0.5 %, fee 0.05 %: OKX counts the closing fee, so the margin must be above 0.55 % (181.8x), Binance's above 0.5 % (200x).
    const costs = { liquidationModel, leverage, takerFeeFraction: 0.0005 };
    expect(runKernel(engine, runOf({ ...flat, costs })).status).toBe(isRejected ? STATUS_LEVERAGE_TOO_HIGH : 0);
  });

  it('counts the holes between the candles and the candles missing in them', () => {
    const run = runOf(flat);
    const summaryOf = (indices: number[]) => {
      const candles = candlesAt(run.candles, indices);
      return runKernel(engine, { ...run, candles, score: new Float64Array(indices.length) }).summary;
    };
    expect(summaryOf([0, 1, 2, 3])).toMatchObject({ gapCount: 0, missingCandleCount: 0 });
    expect(summaryOf([0, 2, 3, 7, 8, 9])).toMatchObject({ gapCount: 2, missingCandleCount: 4 });
    expect(summaryOf([5])).toMatchObject({ gapCount: 0, missingCandleCount: 0 });
  });

  it('takes no month that is longer than another for a hole', () => {
    const run = runOf(flat);
    const time = Float64Array.from({ length: 10 }, (_, i) => Date.UTC(2024, i, 1));
    const { summary } = runKernel(engine, { ...run, candles: { ...run.candles, time } });
    expect(summary).toMatchObject({ gapCount: 0, missingCandleCount: 0 });
  });
});
