import { hourMs, startMs, runOf, describeTables, type Table } from '../backtest/support/tables.ts';
import { engineTimeoutMs, loadTestEngine, runKernel } from '../backtest/support/kernel.ts';
import { expect, it } from 'vitest';

describeTables('a bar without volume', [
  {
    title: 'fills no entry: the signal is dropped and counted',
    bars: `
      100 100 100 100 L
      100 105 95  100 v0
      100 105 99  100`,
    trades: [],
    summary: { droppedSignalCount: 1, skippedSignalCount: 0 },
  },
  {
    title: 'may signal again for the next one',
    bars: `
      100 100 100 100 L
      100 100 100 100 v0 L
      100 104 99  103`,
    trades: ['LONG 2@100 > 2@104 TP'],
    summary: { droppedSignalCount: 1 },
  },
  {
    title: 'triggers no stop: the next open does',
    bars: `
      100 100 100 100 L
      100 101 99  99
      90  90  90  90  v0
      93  94  92  93`,
    trades: ['LONG 1@100 > 3@93 SL gross -70'],
  },
  {
    title: 'triggers no target and no liquidation',
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 120 90  101 v0
      101 101 100 100`,
    params: { stopLossFraction: 0.2 },
    costs: { leverage: 10 },
    trades: ['SHORT 1@100 > 3@100 END gross 0'],
  },
  {
    title: 'at the end does not keep the position from being closed on paper',
    bars: `
      100 100 100 100 L
      100 101 99  101
      101 101 101 101 v0`,
    trades: ['LONG 1@100 > 2@101 END gross 10'],
  },
]);

describeTables('signals', [
  {
    title: 'while a position is open are counted as skipped, whatever their side',
    bars: `
      100 100 100 100 L
      100 101 99  100 L
      100 101 99  100 S
      100 104 99  104`,
    trades: ['LONG 1@100 > 3@104 TP'],
    summary: { skippedSignalCount: 2, tradeCount: 1 },
  },
  {
    title: 'at the close of the bar that closed the last position open the next',
    bars: `
      100 100 100 100 L
      100 104 99  103 S
      103 103.5 98 99 L
      99  103 98.5 102
      102 102 102 102`,
    // Short from 103: target 98.88. 1000 / 103 * 4.12 = 40. Long from 99: target 102.96, 3.96 * 1000 / 99 = 40.
    trades: ['LONG 1@100 > 1@104 TP gross 40', 'SHORT 2@103 > 2@98.88 TP gross 40', 'LONG 3@99 > 3@102.96 TP gross 40'],
    summary: { longCount: 2, shortCount: 1, netPnl: 120, skippedSignalCount: 0, exposureFraction: 0.6 },
  },
  {
    title: 'on the last bar have no bar to be filled in',
    bars: `
      100 100 100 100
      100 101 99  100 L`,
    trades: [],
    summary: { tradeCount: 0, droppedSignalCount: 0, skippedSignalCount: 0 },
  },
  {
    title: 'before the scored window are ignored',
    bars: `
      100 100 100 100 L
      100 101 99  100 L
      100 101 99  100 L
      100 104 99  104
      104 104 104 104`,
    scoredCount: 3,
    trades: ['LONG 3@100 > 3@104 TP'],
    summary: { scoredCount: 3, loadedCount: 5, exposureFraction: 1 / 3 },
    equity: [1000, 1040, 1040],
  },
  {
    title: 'of a long that equal the threshold count',
    bars: `
      100 100 100 100 L
      100 104 99  103
      103 103 103 103`,
    params: { entryThreshold: 1 },
    trades: ['LONG 1@100 > 1@104 TP'],
  },
  {
    title: 'of a short that equal the threshold count',
    bars: `
      100 100 100 100 S
      100 101 96  97
      97  97  97  97`,
    params: { entryThreshold: 1 },
    trades: ['SHORT 1@100 > 1@96 TP'],
  },
  {
    title: 'that never come leave every rate undefined instead of 0',
    bars: '100 101 99 100\n'.repeat(3),
    trades: [],
    summary: { winRate: null, profitFactor: null, expectancy: null, maxDrawdownFraction: 0, netPnl: 0 },
  },
]);

describeTables('the longest holding time', [
  {
    title: 'closes at the open after so many completed bars',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 101 99  101
      101.5 102 101 102
      102 102 102 102`,
    params: { holdingBarsMax: 2 },
    trades: ['LONG 1@100 > 3@101.5 TIME gross 15'],
  },
  {
    title: 'yields to a stop that the same open gaps over',
    bars: `
      100 100 100 100 L
      100 101 99  100
      97  98  96  97`,
    params: { holdingBarsMax: 1 },
    trades: ['LONG 1@100 > 2@97 SL gross -30'],
  },
  {
    title: 'waits for a bar with volume',
    bars: `
      100 100 100 100 S
      100 101 99  100
      100 100 100 100 v0
      99.5 100 99 99
      99  99  99  99`,
    params: { holdingBarsMax: 1 },
    trades: ['SHORT 1@100 > 3@99.5 TIME gross 5'],
  },
  {
    title: 'pays slippage and taker fee',
    // Entry 100.1, exit 101 * 0.999 = 100.899: 0.799 * 1000 / 100.1; fees 0.001 * (1000 + 100.899 * 1000 / 100.1).
    bars: `
      100 100 100 100 L
      100 101 99  100
      101 101.5 101 101`,
    params: { holdingBarsMax: 1 },
    costs: { initialEquity: 2000, slippageFraction: 0.001, takerFeeFraction: 0.001 },
    trades: ['LONG 1@100.1 > 2@100.899 TIME gross 7.982017982017982 fees 2.007982017982018'],
  },
]);

const both = `
  100 100 100 100 L
  100 101 99  100
  100 105 97  100`;

describeTables('a bar that holds stop and target', [
  {
    title: 'is a stop, and both bounds are reported',
    bars: both,
    trades: ['LONG 1@100 > 2@98 SL gross -20 ambiguous'],
    summary: { netPnl: -20, pessimisticNetPnl: -20, optimisticNetPnl: 40, ambiguousFraction: 1 },
  },
  {
    title: 'is a target when the target is taken first, and stays ambiguous',
    bars: both,
    costs: { sameBar: 'target' },
    trades: ['LONG 1@100 > 2@104 TP gross 40 ambiguous'],
    summary: { netPnl: 40, pessimisticNetPnl: -20, optimisticNetPnl: 40, ambiguousFraction: 1 },
  },
  {
    title: 'is a stop all the same when it opens beyond the stop: one price has no order',
    bars: both.replace('100 105 97  100', '97 105 96  100'),
    costs: { sameBar: 'target' },
    trades: ['LONG 1@100 > 2@97 SL gross -30 clear'],
    summary: { pessimisticNetPnl: -30, optimisticNetPnl: -30, ambiguousFraction: 0 },
  },
  {
    title: 'is counted among all trades, the one that is closed by force with them',
    // -20 in the bar that held both, +40 at a target alone, +10 by force at the end: one of three.
    bars: `
      100 100 100 100 L
      100 105 97  100 L
      100 104 99  103 L
      100 101 99  101`,
    costs: { initialEquity: 2000 },
    trades: [
      'LONG 1@100 > 1@98 SL gross -20 ambiguous',
      'LONG 2@100 > 2@104 TP gross 40 clear',
      'LONG 3@100 > 3@101 END gross 10 clear',
    ],
    summary: { tradeCount: 3, forcedCloseCount: 1, ambiguousFraction: 1 / 3, netPnl: 30, optimisticNetPnl: 90 },
  },
  {
    title: 'is counted so too when the target is taken first',
    bars: `
      100 100 100 100 L
      100 105 97  100 L
      100 104 99  103 L
      100 101 99  101`,
    costs: { initialEquity: 2000, sameBar: 'target' },
    trades: ['LONG 1@100 > 1@104 TP ambiguous', 'LONG 2@100 > 2@104 TP clear', 'LONG 3@100 > 3@101 END clear'],
    summary: { tradeCount: 3, ambiguousFraction: 1 / 3, netPnl: 90, pessimisticNetPnl: 30 },
  },
]);

const fineFirst: Table = {
  title: 'show the target first',
  bars: both,
  fine: {
    from: 2,
    bars: `
      100 102 99  102
      102 105 101 104
      104 104 97  98
      98  100 98  100`,
  },
  trades: ['LONG 1@100 > 2@104 TP gross 40 clear'],
  summary: { ambiguousFraction: 0, optimisticNetPnl: 40 },
};

describeTables('finer candles in an ambiguous bar', [
  fineFirst,
  {
    title: 'show the stop first',
    bars: both,
    fine: {
      from: 2,
      bars: `
        100 101 97  98
        98  105 98  104
        104 104 100 101
        101 101 100 100`,
    },
    trades: ['LONG 1@100 > 2@98 SL gross -20 clear'],
    summary: { ambiguousFraction: 0 },
  },
  {
    title: 'that are ambiguous themselves leave the stop first',
    bars: both,
    fine: {
      from: 2,
      bars: `
        100 105 97  98
        98  100 98  100
        100 100 100 100
        100 100 100 100`,
    },
    trades: ['LONG 1@100 > 2@98 SL gross -20 ambiguous'],
    summary: { optimisticNetPnl: 40 },
  },
  {
    title: 'that belong to another bar change nothing',
    bars: both,
    fine: {
      from: 0,
      bars: `
        100 100 100 100
        100 110 90  100
        100 100 100 100
        100 100 100 100`,
    },
    trades: ['LONG 1@100 > 2@98 SL gross -20 ambiguous'],
  },
  {
    title: 'settle the entry bar of a short, with a gap filled at the finer open',
    // The third quarter opens at 95, beyond the target of 96.
    bars: `
      100 100 100 100 S
      100 103 94  100
      100 100 100 100`,
    fine: {
      from: 1,
      bars: `
        100 101 99  100
        100 100 97  97
        95  96  94  95
        95  103 95  100`,
    },
    trades: ['SHORT 1@100 > 1@95 TP gross 50 clear'],
  },
  ...[
    { title: 'of which the first is missing', present: [1, 2, 3] },
    { title: 'of which one in the middle is missing', present: [0, 1, 3] },
    { title: 'of which the last is missing', present: [0, 1, 2] },
    { title: 'of which there is only one', present: [1] },
  ].map(({ title, present }) => ({
    title: `${title} settle nothing: the bar stays ambiguous and is counted`,
    bars: both,
    fine: { from: 2, bars: fineFirst.fine?.bars ?? '', present },
    trades: ['LONG 1@100 > 2@98 SL gross -20 ambiguous'],
    summary: { ambiguousFraction: 1, optimisticNetPnl: 40 },
  })),
  {
    title: 'without volume settle nothing',
    bars: both,
    fine: {
      from: 2,
      bars: `
        100 105 100 104 v0
        103 103 97  98
        98  105 98  104
        104 104 100 100`,
    },
    trades: ['LONG 1@100 > 2@98 SL gross -20 clear'],
  },
]);

it(
  'a trade that finer candles settled names the finer candle as its exit time',
  async () => {
    const { trades } = runKernel(await loadTestEngine(), runOf(fineFirst));
    expect(trades[0]?.exitTimeMs).toBe(startMs + 2 * hourMs + hourMs / 4);
  },
  engineTimeoutMs,
);
