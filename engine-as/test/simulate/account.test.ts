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

describeTables('the margin of an entry', [
  {
    title: 'and its fee must not exceed the equity: the signal is dropped and counted with the reason',
    // 100 + 0.0005 * 1000 = 100.5 is more than 100.4.
    bars: stoppedTwice,
    costs: { ...levered, takerFeeFraction: 0.0005, initialEquity: 100.4 },
    trades: [],
    summary: {
      ...{ droppedSignalCount: 2, droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 2 } },
      ...{ netPnl: 0, ruinIndex: null },
    },
  },
  {
    title: 'and its fee may take the whole equity',
    // Exactly 100.5: the first long is filled and loses 20 and 0.99 of fees, so the second is not.
    bars: stoppedTwice,
    costs: { ...levered, takerFeeFraction: 0.0005, initialEquity: 100.5 },
    trades: ['LONG 1@100 > 1@98 SL gross -20 fees 0.99'],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 1 } },
  },
  {
    title: 'is looked for in what earlier trades left: 120 - 20 covers a second one, 119.9 - 20 does not',
    bars: stoppedTwice,
    costs: { ...levered, initialEquity: 120 },
    trades: ['LONG 1@100 > 1@98 SL gross -20', 'LONG 2@100 > 2@98 SL gross -20'],
    summary: { droppedSignalCount: 0 },
  },
  {
    title: 'is too much for the same account with a tenth less',
    bars: stoppedTwice,
    costs: { ...levered, initialEquity: 119.9 },
    trades: ['LONG 1@100 > 1@98 SL gross -20'],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 1 } },
  },
  {
    title: 'of a million on an equity of 100 is never put up',
    bars: `
      100 100 100 100 S
      100 101 95  95`,
    costs: { ...levered, notional: 1e6, initialEquity: 100 },
    trades: [],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 1 }, maxDrawdownFraction: 0 },
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

describe('what is refused or counted before a run', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await loadTestEngine();
  }, engineTimeoutMs);
  const flat = { title: '', bars: '100 100 100 100\n'.repeat(10), trades: [] };

  it.each([
    { liquidationModel: 'binance', leverage: 190, isRefused: false },
    { liquidationModel: 'okx', leverage: 190, isRefused: true },
    { liquidationModel: 'okx', leverage: 180, isRefused: false },
    { liquidationModel: 'binance', leverage: 200, isRefused: true },
  ] as const)('$liquidationModel at $leverage x: $isRefused', ({ liquidationModel, leverage, isRefused }) => {
    // m 0.5 %, fee 0.05 %: OKX counts the closing fee, so the margin must be above 0.55 % (181.8x), Binance's above 0.5 % (200x).
    const costs = { liquidationModel, leverage, takerFeeFraction: 0.0005 };
    expect(runKernel(engine, runOf({ ...flat, costs })).status).toBe(isRefused ? STATUS_LEVERAGE_TOO_HIGH : 0);
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
