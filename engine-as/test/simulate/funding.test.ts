import { describeTables } from '../backtest/support/tables.ts';

// 10 units from the open of bar 1 (hour 1). Stamps are `hour rate [mark]`.
const held = `
  100 100 100 100 L
  100 101 99  101
  101 102 100 102
  102 103 101 103`;
const heldShort = held.replace('L', 'S');
const wide = { stopLossFraction: 0.5, takeProfitFraction: 0.5 };

describeTables('funding', [
  {
    title: 'a long pays rate x price x quantity at a stamp it holds through',
    // 10 * 101 * 0.001 at the open of bar 2; END at 103: 30 - 1.01.
    bars: held,
    params: wide,
    funding: '2 0.001',
    trades: ['LONG 1@100 > 3@103 END gross 30 funding 1.01 net 28.99'],
    summary: { funding: 1.01, isFundingKnown: true },
  },
  {
    title: 'a short receives it',
    bars: heldShort,
    params: wide,
    funding: '2 0.001',
    trades: ['SHORT 1@100 > 3@103 END gross -30 funding -1.01 net -28.99'],
  },
  {
    title: 'a negative rate turns payer and receiver round',
    bars: held,
    params: wide,
    funding: '2 -0.001',
    trades: ['LONG 1@100 > 3@103 END gross 30 funding -1.01 net 31.01'],
  },
  {
    title: 'a stamp at the open that filled the entry is not charged',
    bars: held,
    params: wide,
    funding: '1 0.001',
    trades: ['LONG 1@100 > 3@103 END funding 0'],
  },
  {
    title: 'a stamp before the entry is not charged',
    bars: held,
    params: wide,
    funding: '0 0.001\n0.5 0.001',
    trades: ['LONG 1@100 > 3@103 END funding 0'],
  },
  {
    title: 'a stamp at the open of the bar that closes the position is charged',
    // Bar 2 opens at 97, below the stop of 98: 10 * 97 * 0.001.
    bars: `
      100 100 100 100 L
      100 101 99  99
      97  98  96  97`,
    funding: '2 0.001',
    trades: ['LONG 1@100 > 2@97 SL gross -30 funding 0.97'],
  },
  {
    title: 'a stamp inside the bar that closes the position is not charged',
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  96  97`,
    funding: '2.5 0.001',
    trades: ['LONG 1@100 > 2@98 SL gross -20 funding 0'],
  },
  {
    title: 'a stamp inside a bar that is held to its end is charged at the price of its open',
    // Inside the entry bar too: 10 * 100 * 0.001 + 10 * 101 * 0.002.
    bars: held,
    params: wide,
    funding: '1.5 0.001\n2.5 0.002',
    trades: ['LONG 1@100 > 3@103 END funding 3.02'],
  },
  {
    title: 'a stamp inside the last bar is charged, one after its end is not',
    bars: held,
    params: wide,
    funding: '3.5 0.001\n4 0.001',
    trades: ['LONG 1@100 > 3@103 END funding 1.02'],
  },
  {
    title: 'the mark price sent with the stamp wins',
    bars: held,
    params: wide,
    funding: '2 0.001 105',
    trades: ['LONG 1@100 > 3@103 END funding 1.05'],
  },
  {
    title: 'the mark price of the candle comes before its traded open',
    bars: held,
    params: wide,
    mark: `
      100 100 100
      100 101 99
      104 104 100
      102 103 101`,
    funding: '2 0.001',
    trades: ['LONG 1@100 > 3@103 END funding 1.04'],
  },
  {
    title: 'a stamp some milliseconds late belongs to its full second',
    // 17 ms after the open of bar 1 (the entry: not charged) and of bar 2 (charged although bar 2 stops the trade).
    bars: `
      100 100 100 100 L
      100 101 99  99
      99  99  96  97`,
    funding: '1.0000047223 0.001\n2.0000047223 0.001',
    trades: ['LONG 1@100 > 2@98 SL gross -20 funding 0.99'],
  },
  {
    title: 'three fundings add up, and equity shows each when it is paid',
    // 1.01 at bar 2, 1.02 at bar 3, 1.03 at bar 4. Marks: 10, 20 - 1.01, 30 - 2.03, 30 - 3.06.
    bars: `${held}
      103 104 102 103`,
    params: wide,
    funding: '2 0.001\n3 0.001\n4 0.001',
    trades: ['LONG 1@100 > 4@103 END gross 30 funding 3.06 net 26.94'],
    equity: [1000, 1010, 1018.99, 1027.97, 1026.94],
  },
  {
    title: 'a bar without volume still pays',
    bars: `
      100 100 100 100 L
      100 101 99  101
      101 101 101 101 v0
      102 103 101 103`,
    params: wide,
    funding: '2 0.001',
    trades: ['LONG 1@100 > 3@103 END funding 1.01'],
  },
  {
    title: 'no history: nothing is charged and the result says so',
    bars: held,
    params: wide,
    trades: ['LONG 1@100 > 3@103 END funding 0'],
    summary: { isFundingKnown: false },
  },
  {
    title: 'a hole of more than 8 hours in the history is not known funding',
    // 10 hours of candles, the only stamp at the first: 10 hours without one.
    bars: '100 100 100 100\n'.repeat(10),
    funding: '0 0.001',
    trades: [],
    summary: { isFundingKnown: false },
  },
  {
    title: 'a stamp every 8 hours is known funding',
    bars: '100 100 100 100\n'.repeat(20),
    funding: '0 0.001\n8 0.001\n16 0.001',
    trades: [],
    summary: { isFundingKnown: true },
  },
]);

// 2025-01-01 00:00 UTC is the first candle: assumed fundings fall due at its open, at hour 8 and at hour 16.
const tenHours = `100 100 100 100 L\n${'100 100 100 100\n'.repeat(7)}102 102 102 102\n104 104 104 104`;

describeTables('assumed funding', [
  {
    title: 'is charged at 0, 8 and 16 h UTC on the price of that open, whatever history lies beside it',
    // Entry at hour 1; 10 * 102 * 0.0002 at hour 8.
    bars: tenHours,
    params: wide,
    costs: { fundingSource: 'assumed', assumedFundingFraction: 0.0002 },
    funding: '2 0.5\n8 0.5',
    trades: ['LONG 1@100 > 9@104 END gross 40 funding 0.204 net 39.796'],
    summary: { funding: 0.204, isFundingKnown: false },
  },
  {
    title: 'is received by a short',
    bars: tenHours.replace('L', 'S'),
    params: wide,
    costs: { fundingSource: 'assumed', assumedFundingFraction: 0.0002 },
    trades: ['SHORT 1@100 > 9@104 END gross -40 funding -0.204 net -39.796'],
  },
  {
    title: 'is not charged at the open that filled the entry',
    bars: `${'100 100 100 100\n'.repeat(7)}100 100 100 100 L\n100 100 100 100\n100 100 100 100`,
    params: wide,
    costs: { fundingSource: 'assumed', assumedFundingFraction: 0.01 },
    trades: ['LONG 8@100 > 9@100 END funding 0'],
  },
  {
    title: 'that is off charges nothing and is not known, although there is a history',
    bars: held,
    params: wide,
    costs: { fundingSource: 'off' },
    funding: '0 0.001\n2 0.001',
    trades: ['LONG 1@100 > 3@103 END gross 30 funding 0 net 30'],
    summary: { funding: 0, isFundingKnown: false },
  },
]);
