import { describeTables } from '../backtest/support/tables.ts';

// Unless said otherwise: callback 1 %, every gain moves the stop, initial stop 98 or 102, target 20 % away.
const params = { takeProfitFraction: 0.2 };

describeTables('the trailing stop in percent', [
  {
    title: 'follows the best price of a long',
    // Best 103, stop 103 * 0.99 = 101.97.
    bars: `
      100 100 100 100 L
      100 103 99.5 102.5
      102.5 102.8 101.5 102`,
    params,
    trailing: {},
    trades: ['LONG 1@100 > 2@101.97 SL gross 19.7 stop 101.97'],
  },
  {
    title: 'follows the best price of a short',
    // Best 97, stop 97 * 1.01 = 97.97.
    bars: `
      100 100 100 100 S
      100 100.5 97 97.5
      97.5 98 97.2 98`,
    params,
    trailing: {},
    trades: ['SHORT 1@100 > 2@97.97 SL gross 20.3 stop 97.97'],
  },
  {
    title: 'does not close in the bar that moved it',
    // The low of 99 in bar 1 may have come before the high of 103; in bar 2 the moved stop is live and gapped over.
    bars: `
      100 100 100 100 L
      100 103 99  101
      101 102 100.5 101`,
    params,
    trailing: {},
    trades: ['LONG 1@100 > 2@101 SL gross 10'],
  },
  {
    title: 'keeps the initial stop while the candidate is no better',
    // Best 100.5, candidate 99.495 is better than 98, but with best 98.9... a falling market never improves it:
    // entry bar best = entry 100, candidate 99; then the low of 98.9 hits 99.
    bars: `
      100 100 100 100 L
      100 100 99.2 99.5
      99.5 99.6 98.9 99`,
    params,
    trailing: {},
    trades: ['LONG 1@100 > 2@99 SL gross -10'],
  },
  {
    title: 'moves only by whole steps',
    // Step 3 % of 100. Best 101.5: candidate 100.485 gains 2.485 on 98: stays, and the low of 98.5 is survived.
    // Best 103: candidate 101.97 gains 3.97: moves.
    bars: `
      100 100 100 100 L
      100 101.5 99.9 101
      101 101.2 98.5 101
      101 103 100.9 102.5
      102.5 102.6 101 102`,
    params,
    trailing: { stepFraction: 0.03 },
    trades: ['LONG 1@100 > 4@101.97 SL gross 19.7'],
  },
  {
    title: 'moves by exactly one step',
    // Step 4 %: best 103.030303... would be needed for 102; with callback 0 the candidate is the best: 102 - 98 = 4.
    bars: `
      100 100 100 100 L
      100 102 99  101.5
      102 102.5 101.8 102.4
      102.4 102.4 102.4 102.4`,
    params,
    trailing: { callbackFraction: 0, stepFraction: 0.04 },
    trades: ['LONG 1@100 > 2@102 SL gross 20'],
  },
  {
    title: 'waits for its activation',
    // Activation 2 %: best 101.9 is not enough, the low of 98.5 is survived; best 102 is: stop 100.98.
    bars: `
      100 100 100 100 L
      100 101.9 99.9 101
      101 101.2 98.5 101
      101 102 101 101.5
      101.5 101.6 100.9 101`,
    params,
    trailing: { activationFraction: 0.02 },
    trades: ['LONG 1@100 > 4@100.98 SL gross 9.8'],
  },
  {
    title: 'and the target in one bar: the stop comes first',
    // Stop 103 * 0.99 = 101.97, target 104.
    bars: `
      100 100 100 100 L
      100 103 99.5 103
      103 104 101 102`,
    trailing: {},
    trades: ['LONG 1@100 > 2@101.97 SL gross 19.7 ambiguous'],
    summary: { optimisticNetPnl: 40 },
  },
  {
    title: 'ignores the wick of a bar without volume',
    bars: `
      100 100 100 100 L
      100 100.2 99.5 100
      100 110 99.5 100 v0
      100 100.1 99.3 100
      100 100 100 100`,
    params,
    // Best stays 100.2: stop 99.198.
    trailing: {},
    trades: ['LONG 1@100 > 4@100 END gross 0 stop 99.198'],
  },
  {
    title: 'is off unless it is switched on',
    bars: `
      100 100 100 100 L
      100 110 99.5 109
      109 109 98.5 99`,
    params,
    trailing: { enabled: false },
    trades: ['LONG 1@100 > 2@99 END gross -10 stop 98'],
  },
]);

describeTables('the trailing stop in average true ranges', [
  {
    title: 'keeps a multiple of the range below the best price of a long, and never moves back',
    // Bar 1: 103 - 2 * 1 = 101. Bar 2: 103 - 2 * 5 = 93, no gain. Bar 3 touches 101.
    bars: `
      100 100 100 100 L
      100 103 99.5 102
      102 102.5 101.5 102
      102 102.2 101 101.5`,
    params,
    trailing: { mode: 'atr', atrMultiplier: 2 },
    atr: [1, 1, 5, 1],
    trades: ['LONG 1@100 > 3@101 SL gross 10'],
  },
  {
    title: 'keeps a multiple of the range above the best price of a short',
    // 97 + 2 * 1 = 99.
    bars: `
      100 100 100 100 S
      100 100.5 97 98
      98  99  97.5 98.5`,
    params,
    trailing: { mode: 'atr', atrMultiplier: 2 },
    atr: [1, 1, 1],
    trades: ['SHORT 1@100 > 2@99 SL gross 10'],
  },
  {
    title: 'uses the range of the bar just completed, not of the next one',
    // Bar 1 completes with range 3: 103 - 6 = 97 does not improve 98. The range of 0.1 in bar 2 is known only at its close.
    bars: `
      100 100 100 100 L
      100 103 99.5 102
      102 102.5 98.5 102
      102 102 102 102`,
    params,
    trailing: { mode: 'atr', atrMultiplier: 2 },
    atr: [3, 3, 0.1, 0.1],
    // After bar 2: 103 - 0.2 = 102.8, so bar 3 opens below the stop.
    trades: ['LONG 1@100 > 3@102 SL gross 20 stop 102.8'],
  },
  {
    title: 'does nothing before the range is defined',
    bars: `
      100 100 100 100 L
      100 110 99.5 109
      109 109 98.5 99`,
    params,
    trailing: { mode: 'atr', atrMultiplier: 2 },
    atr: [Number.NaN, Number.NaN, Number.NaN],
    trades: ['LONG 1@100 > 2@99 END gross -10 stop 98'],
  },
]);
