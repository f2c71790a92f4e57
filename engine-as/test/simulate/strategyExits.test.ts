import { describeTables } from '../backtest/support/tables.ts';

// Exits that a strategy decides beside the parameters (docs/simulator.md, section 11), each worked out by hand.
// Notional 1000 at 100: quantity 10. Stop 2 %, target 4 % unless said otherwise.

const byRange = {
  stop: { mode: 'atr', multiple: 2 },
  target: { mode: 'atr', multiple: 4 },
} as const;

describeTables('levels by average true range', [
  {
    title: 'are measured by the range of the candle that decided',
    // ATR of bar 0 is 0.5: stop 100 - 2 * 0.5 = 99, target 100 + 4 * 0.5 = 102. The 5 of the entry bar is not used.
    bars: `
      100 100 100 100 L
      100 101 99.5 101
      101 102 100.5 101`,
    exits: byRange,
    range: [0.5, 5, 5],
    trades: ['LONG 1@100 > 2@102 TP gross 20 stop 99'],
  },
  {
    title: 'lie on the other sides of a short',
    // Stop 100 + 2 * 0.5 = 101, met by the high of bar 1.
    bars: `
      100 100 100 100 S
      100 101 99.5 101
      101 101 101 101`,
    exits: byRange,
    range: [0.5, 0.5, 0.5],
    trades: ['SHORT 1@100 > 1@101 SL gross -10 stop 101'],
  },
  {
    title: 'may be mixed with percent',
    // Stop by range: 100 - 2 * 1.5 = 97, beyond 98; target 4 % of 100.
    bars: `
      100 100 100 100 L
      100 101 97.5 99
      99 104 98 103`,
    exits: { stop: byRange.stop },
    range: [1.5, 1.5, 1.5],
    trades: ['LONG 1@100 > 2@104 TP gross 40 stop 97'],
  },
  {
    title: 'make a signal without a range open nothing',
    // Bar 0 has no range, bar 1 has a range of 0, bar 2 has one.
    bars: `
      100 100 100 100 L
      100 100 100 100 L
      100 100 100 100 L
      100 104 100 104`,
    exits: byRange,
    range: [Number.NaN, 0, 1, 1],
    trades: ['LONG 3@100 > 3@104 TP'],
    summary: { skippedSignalCount: 0, droppedSignalCount: 0 },
  },
]);

describeTables('the break-even stop', [
  {
    title: 'moves to the entry after a gain of one first stop distance, from the next candle on',
    // Stop 98: distance 2. Bar 1 reaches 102, so bar 2 stops at 100, not at 98; the order of high and low in bar 1 is unknown.
    bars: `
      100 100 100 100 L
      100 102 99 101.5
      101.5 102 98.5 99`,
    exits: { breakEvenR: 1 },
    trades: ['LONG 1@100 > 2@100 SL gross 0 stop 100'],
  },
  {
    title: 'stays where it is a tick below that gain',
    bars: `
      100 100 100 100 L
      100 101.99 99 101.5
      101.5 101.6 98.5 99
      99 99 97.9 98`,
    exits: { breakEvenR: 1 },
    trades: ['LONG 1@100 > 3@98 SL gross -20 stop 98'],
  },
  {
    title: 'guards a short alike',
    // Stop 102: 1.5 distances are 3. Bar 1 falls to 97.
    bars: `
      100 100 100 100 S
      100 100.5 97 98
      98 100 97.5 99`,
    exits: { breakEvenR: 1.5 },
    trades: ['SHORT 1@100 > 2@100 SL gross 0 stop 100'],
  },
  {
    title: 'never takes back what the trailing stop gained',
    // Trailing 1 %: best 103 gives 101.97, better than the entry.
    bars: `
      100 100 100 100 L
      100 103 99.5 102.5
      102.5 102.8 101.5 102`,
    exits: {
      breakEvenR: 1,
      trailing: { mode: 'percent', callbackFraction: 0.01, stepFraction: 0, atrMultiple: 0, activationFraction: 0 },
    },
    trades: ['LONG 1@100 > 2@101.97 SL gross 19.7 stop 101.97'],
  },
]);

describeTables('the opposite signal', [
  {
    title: 'is skipped while the position is held',
    bars: `
      100 100 100 100 L
      100 101 99 101 S
      101 101 100 100`,
    exits: { onOpposite: 'hold' },
    trades: ['LONG 1@100 > 2@100 END gross 0'],
    summary: { skippedSignalCount: 1 },
  },
  {
    title: 'ends the position at the next open',
    bars: `
      100 100 100 100 L
      100 101 99 101 S
      100.5 101 100 100
      100 100 100 100`,
    exits: { onOpposite: 'exit' },
    trades: ['LONG 1@100 > 2@100.5 SIGNAL gross 5'],
    summary: { skippedSignalCount: 0, exposureFraction: 0.5 },
  },
  {
    title: 'comes after the level that the same open meets',
    // Opened at 97.5, beyond the stop of 98.
    bars: `
      100 100 100 100 L
      100 101 99 99 S
      97.5 98 97 97`,
    exits: { onOpposite: 'exit' },
    trades: ['LONG 1@100 > 2@97.5 SL gross -25'],
  },
  {
    title: 'reverses: an exit and an entry at one open, both charged',
    // Fees 0.1 %: in 1, out of 10 x 100.5 1.005; short of 1000 / 100.5 at 100.5: fee 1, out at the close of 100.
    bars: `
      100 100 100 100 L
      100 101 99 101 S
      100.5 101 100 100`,
    exits: { onOpposite: 'reverse' },
    costs: { takerFeeFraction: 0.001, initialEquity: 2000 },
    trades: ['LONG 1@100 > 2@100.5 SIGNAL gross 5 fees 2.005', 'SHORT 2@100.5 > 2@100 END quantity 9.950248756218905'],
    summary: { exposureFraction: 2 / 3, tradeCount: 2 },
  },
  {
    title: 'reverses after the stop that the same open meets',
    bars: `
      100 100 100 100 L
      100 101 99 99 S
      97.5 98 97 97
      97 97 97 97`,
    exits: { onOpposite: 'reverse' },
    costs: { initialEquity: 2000 },
    trades: ['LONG 1@100 > 2@97.5 SL gross -25', 'SHORT 2@97.5 > 3@97 END'],
  },
  {
    title: 'waits for volume, and drops the entry that finds none',
    bars: `
      100 100 100 100 L
      100 101 99 101 S
      101 101 101 101 v0
      100.5 101 100 100
      100 100 100 100`,
    exits: { onOpposite: 'reverse' },
    trades: ['LONG 1@100 > 3@100.5 SIGNAL gross 5'],
    summary: { droppedSignalCount: 1, droppedSignals: { noVolume: 1, tooSmall: 0, marginShort: 0 } },
  },
  {
    title: 'ends a position of a side that alone may be entered, and enters nothing',
    bars: `
      100 100 100 100 S
      100 100 100 100 L
      100 101 99 101 S
      100.5 101 100 100
      100 100 100 100`,
    exits: { onOpposite: 'reverse', direction: 'long' },
    trades: ['LONG 2@100 > 3@100.5 SIGNAL gross 5'],
    summary: { skippedSignalCount: 0 },
  },
]);

describeTables('the direction', [
  {
    title: 'enters shorts only, and does not count a long as skipped',
    bars: `
      100 100 100 100 L
      100 100 100 100 S
      100 100 99 99.5 L
      99.5 100 99 99`,
    exits: { direction: 'short' },
    trades: ['SHORT 2@100 > 3@99 END gross 10'],
    summary: { skippedSignalCount: 0, longCount: 0, shortCount: 1 },
  },
]);

const risk = { mode: 'risk', riskFraction: 0.01, isCompounding: false } as const;

describeTables('sizing by risk', [
  {
    title: 'lets the stop lose the risk that was set',
    // 1 % of 1000 is 10; a unit loses 2 at its stop: 5 units, half of the notional.
    bars: `
      100 100 100 100 L
      100 101 98 98
      98 98 98 98`,
    exits: { sizing: risk },
    trades: ['LONG 1@100 > 1@98 SL gross -10 quantity 5'],
  },
  {
    title: 'counts fees and the slip of the stop as part of the loss',
    // out = 98 * 0.99 = 97.02; loss 2.98 + 0.001 * 197.02 = 3.17702; 10 / 3.17702 = 3.14760..., four decimals: 3.1476.
    bars: `
      100 100 100 100 L
      100 101 98 98
      98 98 98 98`,
    exits: { sizing: risk },
    costs: { takerFeeFraction: 0.001, stopSlippageFraction: 0.01 },
    trades: ['LONG 1@100 > 1@97.02 SL quantity 3.1476'],
  },
  {
    title: 'is at most the notional',
    // A stop 0.5 % away: the risk would pay for 20 units, the notional for 10.
    bars: `
      100 100 100 100 L
      100 101 99.8 101`,
    exits: { sizing: risk, stop: { mode: 'percent', fraction: 0.005 } },
    trades: ['LONG 1@100 > 1@101 END quantity 10'],
  },
  {
    title: 'is raised to the smallest order while its loss stays within the risk',
    // 1 % of 1000 buys 5 units, 500; the least is 502: 5.02 units lose 10.04, more than 10.
    bars: `
      100 100 100 100 L
      100 101 99 101`,
    exits: { sizing: risk },
    costs: { minNotional: 502 },
    trades: [],
    summary: { droppedSignals: { noVolume: 0, tooSmall: 1, marginShort: 0 } },
  },
]);

describeTables('compounding', [
  {
    title: 'grows the size with the equity',
    // The first trade wins 40: the second is 1000 * 1040 / 1000 at 104, so 10 units.
    bars: `
      100 100 100 100 L
      100 104 100 104 L
      104 104 104 104`,
    exits: { sizing: { mode: 'fixed', riskFraction: 0, isCompounding: true } },
    trades: ['LONG 1@100 > 1@104 TP gross 40 quantity 10', 'LONG 2@104 > 2@104 END quantity 10'],
  },
  {
    title: 'stays below the tier that does not allow the leverage',
    // Equity 1040 would buy 1040; the tier from 1020 on allows 5 x only.
    bars: `
      100 100 100 100 L
      100 104 100 104 L
      104 104 104 104`,
    exits: { sizing: { mode: 'fixed', riskFraction: 0, isCompounding: true } },
    costs: {
      leverage: 10,
      stepSize: 0.001,
      tiers: [
        { notionalFloor: 0, maintenanceMarginFraction: 0.005, maintenanceAmount: 0, leverageMax: 20 },
        { notionalFloor: 1020, maintenanceMarginFraction: 0.01, maintenanceAmount: 5.1, leverageMax: 5 },
      ],
    },
    trades: ['LONG 1@100 > 1@104 TP gross 40', 'LONG 2@104 > 2@104 END quantity 9.807'],
  },
]);
