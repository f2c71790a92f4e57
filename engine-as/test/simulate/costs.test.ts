import { describeTables } from '../backtest/support/tables.ts';

const win = `
  100 100 100 100 L
  100 101 99  101
  101 105 101 105`;
const loss = `
  100 100 100 100 L
  100 101 99  99
  99  99  97  97`;

/** Equity for the margin of 1000 and the fee of the entry. */
const rich = { initialEquity: 2000 };

describeTables('fees', [
  {
    title: 'the taker fee is charged on both fills',
    // 0.0005 * (1000 + 10 * 104) = 1.02.
    bars: win,
    costs: { ...rich, takerFeeFraction: 0.0005 },
    trades: ['LONG 1@100 > 2@104 TP gross 40 fees 1.02 net 38.98'],
    summary: { fees: 1.02, netPnl: 38.98, grossPnl: 40 },
  },
  {
    title: 'a limit target pays the maker fee on its exit only',
    // 0.0005 * 1000 + 0.0002 * 1040 = 0.708.
    bars: win,
    costs: { ...rich, takerFeeFraction: 0.0005, makerFeeFraction: 0.0002, takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@104 TP gross 40 fees 0.708 net 39.292'],
  },
  {
    title: 'a maker rebate is a negative fee',
    // 0.5 - 0.0001 * 1040.
    bars: win,
    costs: { ...rich, takerFeeFraction: 0.0005, makerFeeFraction: -0.0001, takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@104 TP fees 0.396'],
  },
  {
    title: 'a stop pays the taker fee with a limit target too',
    // 0.5 + 0.0005 * 980.
    bars: loss,
    costs: { ...rich, takerFeeFraction: 0.0005, makerFeeFraction: 0.0002, takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@98 SL fees 0.99 net -20.99'],
  },
  {
    title: 'a forced close pays the taker fee',
    // Close 101: 0.5 + 0.0005 * 1010.
    bars: `
      100 100 100 100 L
      100 101 99  101`,
    costs: { ...rich, takerFeeFraction: 0.0005 },
    trades: ['LONG 1@100 > 1@101 END gross 10 fees 1.005 net 8.995'],
    summary: { forcedCloseCount: 1 },
  },
  {
    title: 'fees of a short are charged on what it sells and buys back',
    // 0.001 * (1000 + 960).
    bars: `
      100 100 100 100 S
      100 101 99  99
      99  99  95  95`,
    costs: { ...rich, takerFeeFraction: 0.001 },
    trades: ['SHORT 1@100 > 2@96 TP gross 40 fees 1.96 net 38.04'],
  },
]);

describeTables('slippage', [
  {
    title: 'moves the entry of a long up, and with it size, levels and exit',
    // Entry 100.1; 1000 / 100.1 units; target 104.104, sold at 104.104 * 0.999 = 103.999896.
    // 3.899896 * 1000 / 100.1 = 38.96. Lost to slippage: (0.1 + 0.104104) * 1000 / 100.1 = 2.039000999...
    bars: win,
    costs: { slippageFraction: 0.001 },
    trades: ['LONG 1@100.1 > 2@103.999896 TP gross 38.96 slippage 2.039000999000999 quantity 9.99000999000999'],
  },
  {
    title: 'moves the entry of a short down and its forced close up',
    // Entry 99.9, close 99 bought at 99.099: 0.801 * 1000 / 99.9 = 8.018018...; (0.1 + 0.099) * 1000 / 99.9 = 1.991991...
    bars: `
      100 100 100 100 S
      100 100.5 98.5 99`,
    costs: { slippageFraction: 0.001 },
    trades: ['SHORT 1@99.9 > 1@99.099 END gross 8.018018018018018 slippage 1.991991991991992'],
  },
  {
    title: 'does not touch a limit target',
    // 4.004 * 1000 / 100.1 = 40; only the entry slipped: 0.1 * 1000 / 100.1.
    bars: win,
    costs: { slippageFraction: 0.001, takeProfitOrder: 'limit' },
    trades: ['LONG 1@100.1 > 2@104.104 TP gross 40 slippage 0.999000999000999'],
  },
  {
    title: 'of a stop is its own figure',
    // 98 * 0.998 = 97.804: -2.196 * 10; lost 0.196 * 10. The fill may lie below the low of the bar.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  98  98.5`,
    costs: { stopSlippageFraction: 0.002 },
    trades: ['LONG 1@100 > 2@97.804 SL gross -21.96 slippage 1.96'],
  },
  {
    title: 'of a stop moves a short further up',
    // 102 * 1.002 = 102.204.
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 103 101 102`,
    costs: { stopSlippageFraction: 0.002 },
    trades: ['SHORT 1@100 > 2@102.204 SL gross -22.04 slippage 2.04'],
  },
  {
    title: 'of a gapped stop counts from the open',
    // 95 * 0.998 = 94.81.
    bars: `
      100 100 100 100 L
      100 101 99  99
      95  96  94  95`,
    costs: { stopSlippageFraction: 0.002 },
    trades: ['LONG 1@100 > 2@94.81 SL gross -51.9 slippage 1.9'],
  },
]);

describeTables('the rounding of prices and sizes', [
  {
    title: 'a long buys the tick above, and its levels move towards the entry',
    // 100.2 -> 100.5. Stop 98.49 -> 98.5, target 104.52 -> 104.5: 4 * 1000 / 100.5 = 39.800995...
    bars: `
      100 100 100 100 L
      100.2 101 99  101
      101 105 101 105`,
    costs: { tickSize: 0.5 },
    trades: ['LONG 1@100.5 > 2@104.5 TP gross 39.800995024875625 stop 98.5'],
  },
  {
    title: 'a short sells the tick below, and its levels move towards the entry',
    // 99.9 -> 99.5. Stop 101.49 -> 101: -1.5 * 1000 / 99.5 = -15.075376...
    bars: `
      100 100 100 100 S
      99.9 100 99  99.5
      99.5 101.2 99 101`,
    costs: { tickSize: 0.5 },
    trades: ['SHORT 1@99.5 > 2@101 SL gross -15.075376884422111 stop 101'],
  },
  {
    title: 'a slipped exit is rounded against us',
    // 98 * 0.999 = 97.902 -> 97.5.
    bars: loss,
    costs: { tickSize: 0.5, stopSlippageFraction: 0.001 },
    trades: ['LONG 1@100 > 2@97.5 SL gross -25'],
  },
  {
    title: 'the liquidation price is rounded towards the entry',
    // 90.452261 -> 90.5 for a long: the low of 90.5 is a hit.
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  90.5 95`,
    params: { stopLossFraction: 0.2 },
    costs: { tickSize: 0.5, leverage: 10 },
    trades: ['LONG 1@100 > 2@90 LIQ gross -100 liq 90.5'],
  },
  {
    title: 'a target on a tick is reached by a price on that tick, whatever the binary product says',
    // 4.1 % above 100 is 104.1; 1041 x 0.1 is 104.10000000000001 in f64.
    bars: `
      100 100 100 100 L
      100 101 99  101
      101 104.1 101 103`,
    params: { takeProfitFraction: 0.041 },
    costs: { tickSize: 0.1 },
    trades: ['LONG 1@100 > 2@104.1 TP gross 41'],
  },
  {
    title: 'and so is the stop of a short',
    // 2.3 % above 100 is 102.3; 1023 x 0.1 is 102.30000000000001 in f64.
    bars: `
      100 100 100 100 S
      100 101 99  101
      101 102.3 101 101`,
    params: { stopLossFraction: 0.023 },
    costs: { tickSize: 0.1 },
    trades: ['SHORT 1@100 > 2@102.3 SL gross -23'],
  },
  {
    title: 'the quantity is rounded down to the step',
    // 10 -> 33 steps of 0.3 = 9.9.
    bars: win,
    costs: { stepSize: 0.3 },
    trades: ['LONG 1@100 > 2@104 TP gross 39.6 quantity 9.9 margin 990'],
  },
  {
    title: 'a whole number of steps stays whole in spite of binary fractions',
    // 0.3 / 0.1 is 2.9999999999999996 in f64: notional 30 at 100 is 0.3 units, three steps.
    bars: win,
    costs: { stepSize: 0.1, notional: 30 },
    trades: ['LONG 1@100 > 2@104 TP gross 1.2 quantity 0.3'],
  },
  {
    title: 'a size below the minimum notional is not traded, and counted',
    // Step 3: 9 units, 900.
    bars: win,
    costs: { stepSize: 3, minNotional: 950 },
    trades: [],
    summary: { droppedSignalCount: 1, tradeCount: 0 },
  },
  {
    title: 'a size of no step at all is not traded',
    bars: win,
    costs: { stepSize: 20 },
    trades: [],
    summary: { droppedSignalCount: 1 },
  },
]);
