import { describeTables } from '../backtest/support/tables.ts';

describeTables('stop and target', [
  {
    title: 'a long is filled at the open after the signal and leaves at its target',
    // Entry 100 at the open of bar 1, target 100 * 1.04 = 104, 10 units: (104 - 100) * 10 = 40.
    bars: `
      99  100 98  99  L
      100 103 99  102
      102 105 101 104`,
    trades: ['LONG 1@100 > 2@104 TP gross 40 net 40 clear'],
  },
  {
    title: 'a short is filled at the open after the signal and leaves at its target',
    // Target 100 * 0.96 = 96: (100 - 96) * 10 = 40.
    bars: `
      101 102 100 101 S
      100 101 97  98
      98  99  95  96`,
    trades: ['SHORT 1@100 > 2@96 TP gross 40 net 40 clear'],
  },
  {
    title: 'a long leaves at its stop',
    // Stop 98: -2 * 10 = -20.
    bars: `
      99  100 98  99  L
      100 101 99  99
      99  99  97  97`,
    trades: ['LONG 1@100 > 2@98 SL gross -20 net -20 clear'],
  },
  {
    title: 'a short leaves at its stop',
    bars: `
      99  100 98  99  S
      100 101 99  101
      101 103 101 103`,
    trades: ['SHORT 1@100 > 2@102 SL gross -20 net -20 clear'],
  },
  {
    title: 'a low that equals the stop of a long is a hit',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 100 98  99`,
    trades: ['LONG 1@100 > 2@98 SL gross -20'],
  },
  {
    title: 'a low just above the stop is not',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 100 98.01 99`,
    trades: ['LONG 1@100 > 2@99 END gross -10'],
  },
  {
    title: 'a high that equals the target of a long fills a market target',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 104 99  101`,
    trades: ['LONG 1@100 > 2@104 TP gross 40'],
  },
  {
    title: 'a low that equals the target of a short fills a market target',
    bars: `
      100 100 100 100 S
      100 101 99  100
      100 100 96  97`,
    trades: ['SHORT 1@100 > 2@96 TP gross 40'],
  },
  {
    title: 'a limit target is not filled by a touch',
    // The high equals 104 in bar 2 and passes it in bar 3.
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 104 99  103
      103 104.5 103 104`,
    costs: { takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 3@104 TP gross 40'],
  },
  {
    title: 'a limit target of a short is not filled by a touch',
    bars: `
      100 100 100 100 S
      100 101 99  100
      100 101 96  97
      97  98  95.9 97`,
    costs: { takeProfitOrder: 'limit' },
    trades: ['SHORT 1@100 > 3@96 TP gross 40'],
  },
  {
    title: 'levels are taken from the entry fill, not from the signal close',
    // Signal at 90, fill at 100: the stop is 98, so the low of 97 hits it; from 90 it would be 88.2.
    bars: `
      90  90  90  90  L
      100 101 97  99
      99  99  99  99`,
    trades: ['LONG 1@100 > 1@98 SL gross -20'],
  },
  {
    title: 'the quantity is the notional over the entry fill',
    // 1000 / 80 = 12.5 units; target 80 * 1.04 = 83.2: 3.2 * 12.5 = 40.
    bars: `
      80  80  80  80  L
      80  84  79  84
      84  84  84  84`,
    trades: ['LONG 1@80 > 1@83.2 TP quantity 12.5 gross 40 margin 1000'],
  },
]);

describeTables('the entry bar', [
  {
    title: 'a stop is live from the fill',
    bars: `
      100 100 100 100 L
      100 101 97  100
      100 100 100 100`,
    trades: ['LONG 1@100 > 1@98 SL gross -20'],
  },
  {
    title: 'a target is live from the fill',
    bars: `
      100 100 100 100 S
      100 101 95  96
      96  96  96  96`,
    trades: ['SHORT 1@100 > 1@96 TP gross 40'],
  },
  {
    title: 'both levels in the entry bar: the stop comes first and the bar is ambiguous',
    bars: `
      100 100 100 100 L
      100 105 97  100
      100 100 100 100`,
    trades: ['LONG 1@100 > 1@98 SL gross -20 ambiguous'],
    summary: { ambiguousFraction: 1, netPnl: -20, optimisticNetPnl: 40 },
  },
  {
    title: 'the low of the signal bar does not hit the stop of the trade it opens',
    bars: `
      100 100 90  100 L
      100 101 99  100
      100 101 99  100`,
    trades: ['LONG 1@100 > 2@100 END gross 0'],
  },
  {
    title: 'entry slippage beyond a tight stop leaves at the open at once',
    // Fill 100 * 1.003 = 100.3; stop 100.3 * 0.999 = 100.1997 lies above the open 100, so the stop order fills at the open:
    // 1000 / 100.3 units * (100 - 100.3) = -2.9910269192...
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 100 100 100`,
    params: { stopLossFraction: 0.001 },
    costs: { slippageFraction: 0.003 },
    trades: ['LONG 1@100.3 > 1@100 SL gross -2.991026919242273'],
  },
]);

describeTables('gaps', [
  {
    title: 'a long that opens below its stop is filled at the open',
    // -5 * 10.
    bars: `
      100 100 100 100 L
      100 101 99  99
      95  96  94  95`,
    trades: ['LONG 1@100 > 2@95 SL gross -50 clear'],
  },
  {
    title: 'a short that opens above its stop is filled at the open',
    bars: `
      100 100 100 100 S
      100 101 99  101
      106 107 105 106`,
    trades: ['SHORT 1@100 > 2@106 SL gross -60 clear'],
  },
  {
    title: 'a long that opens above its target is filled at the better open',
    bars: `
      100 100 100 100 L
      100 101 99  101
      107 108 106 107`,
    trades: ['LONG 1@100 > 2@107 TP gross 70 clear'],
  },
  {
    title: 'a short that opens below its target is filled at the better open',
    bars: `
      100 100 100 100 S
      100 101 99  99
      93  94  92  93`,
    trades: ['SHORT 1@100 > 2@93 TP gross 70 clear'],
  },
  {
    title: 'an open beyond the target settles the bar even when the stop lies inside it',
    // Open 105 sells at 105 before the fall to 97.
    bars: `
      100 100 100 100 L
      100 101 99  101
      105 106 97  98`,
    trades: ['LONG 1@100 > 2@105 TP gross 50 clear'],
    summary: { ambiguousFraction: 0 },
  },
  {
    title: 'an open beyond the stop settles the bar even when the target lies inside it',
    bars: `
      100 100 100 100 L
      100 101 99  99
      97  105 96  104`,
    trades: ['LONG 1@100 > 2@97 SL gross -30 clear'],
  },
  {
    title: 'an open exactly at the stop closes there, whatever the bar holds',
    bars: `
      100 100 100 100 L
      100 101 99  99
      98  105 97  104`,
    trades: ['LONG 1@100 > 2@98 SL gross -20 clear'],
    summary: { optimisticNetPnl: -20 },
  },
  {
    title: 'an open exactly at the market target closes there, whatever the bar holds',
    bars: `
      100 100 100 100 S
      100 101 99  99
      96  103 95  102`,
    trades: ['SHORT 1@100 > 2@96 TP gross 40 clear'],
  },
  {
    title: 'an open exactly at the limit target is not through it, the high is',
    bars: `
      100 100 100 100 L
      100 101 99  101
      104 104.5 103 104`,
    costs: { takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@104 TP gross 40'],
  },
  {
    title: 'a limit target that is gapped over fills at the open',
    bars: `
      100 100 100 100 L
      100 101 99  101
      106 107 105 106`,
    costs: { takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@106 TP gross 60'],
  },
  {
    title: 'a gap at the entry moves the fill and with it every level',
    // Signal close 100, next open 110: quantity 1000 / 110, target 114.4; 4.4 * 1000 / 110 = 40.
    bars: `
      100 100 100 100 L
      110 115 109 114
      114 114 114 114`,
    trades: ['LONG 1@110 > 1@114.4 TP gross 40'],
  },
]);

describeTables('the order inside a bar', [
  {
    title: 'stop and target of a long in one bar: stop first, the optimistic bound is reported',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 105 97  100`,
    trades: ['LONG 1@100 > 2@98 SL gross -20 ambiguous'],
    summary: { netPnl: -20, optimisticNetPnl: 40, ambiguousFraction: 1 },
  },
  {
    title: 'stop and target of a short in one bar: stop first, the optimistic bound is reported',
    bars: `
      100 100 100 100 S
      100 101 99  100
      100 103 95  100`,
    trades: ['SHORT 1@100 > 2@102 SL gross -20 ambiguous'],
    summary: { netPnl: -20, optimisticNetPnl: 40, ambiguousFraction: 1 },
  },
  {
    title: 'a limit target that is only touched does not make the bar ambiguous',
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 104 97  100`,
    costs: { takeProfitOrder: 'limit' },
    trades: ['LONG 1@100 > 2@98 SL gross -20 clear'],
    summary: { optimisticNetPnl: -20 },
  },
  {
    title: 'the optimistic bound follows its own later trades',
    // Pessimistic: the stop in bar 2, its close signals, a second long at 100 reaches 104: -20 + 40.
    // Optimistic: the target in bar 2, the same second trade: 40 + 40.
    bars: `
      100 100 100 100 L
      100 101 99  100
      100 105 97  100 L
      100 105 99  104
      104 104 104 104`,
    costs: { initialEquity: 2000 },
    trades: ['LONG 1@100 > 2@98 SL ambiguous', 'LONG 3@100 > 3@104 TP clear'],
    summary: { netPnl: 20, optimisticNetPnl: 80, ambiguousFraction: 0.5 },
  },
]);
