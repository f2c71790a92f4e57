import { bars, flat, steps, withBars, zigzag } from './series.ts';
import type { Worked } from './worked.ts';

/** Down from 99 to 92, up to 106, then 105 and 102; the quiet start has highs and lows 1 around it. */
const dipAndTop = withBars(
  bars([...flat(100, 20), ...steps(100, -1, 8), ...steps(92, 1, 14), 105, ...flat(102, 4)]),
  Object.fromEntries(flat(0, 20).map((_, i) => [i, [100, 101, 99, 100]])),
);

/** Above the average of 200 with a dip: RSI(2) is 49.2, 24.4, 12.2, 6.1 at 210 to 213. */
const dip = [...flat(100, 205), ...steps(100, 1, 5), 104, 103, 102, 101];

export const workedReversals: Worked[] = [
  {
    id: 'rsi-2',
    bars: bars([...dip, 100.5, 101, ...flat(102, 4)]),
    trades: [['LONG', 215, 217, 'RULE']],
    mirrors: true,
    why: 'At 214 the means are 0.0303 and 0.7188: 4.04, with 100.5 > 100.13. At 216: 102 > 101.3, at 215 101 < 101.5.',
  },
  {
    id: 'cumulative-rsi',
    bars: bars([...dip, 102, ...flat(103, 4)]),
    trades: [['LONG', 214, 216, 'RULE']],
    why: 'At 212 the sum is 24.4 + 12.2 = 36.6, at 213 it is 18.2. RSI 53 at 214, 76.6 at 215.',
  },
  {
    id: 'double-7',
    bars: bars([...flat(100, 205), ...steps(100, 1, 7), 106, 105, 104, 105, 106, ...flat(107, 3)]),
    trades: [['LONG', 215, 218, 'RULE']],
    why: 'At 214 the seven are 104, 105, 106, 107, 106, 105, 104: the lowest. At 217 the 107 of 211 is equalled.',
  },
  {
    id: 'rsi-three-falls',
    bars: bars([...dip, 102, ...flat(103, 4)]),
    trades: [['LONG', 214, 216, 'RULE']],
    mirrors: true,
    why: 'Falls to 24.4, 12.2 and 6.1 from 49.2, which is below 60. RSI 53 at 214, 76.6 at 215.',
  },
  {
    id: 'rsi-reversal',
    bars: bars([...flat(100, 20), ...steps(100, -1, 5), ...steps(95, 1, 8), ...flat(102, 4)]),
    trades: [
      ['LONG', 27, 34, 'SIGNAL'],
      ['SHORT', 34, 36, 'END'],
    ],
    mirrors: true,
    why: 'Loss 0.3096 after five falls; RSI 19.9 and 34.0 after one and two rises, 72.3 after eight, 64.3 after the fall at 33.',
  },
  {
    id: 'bollinger-reversal',
    bars: bars([...zigzag(40), 96, 98, 99, 100, 100, 100]),
    trades: [['LONG', 42, 44, 'RULE']],
    mirrors: true,
    why: 'At 40: 96 < 97.22. At 41: 98 > 97.01. The middle is 99.7 at 42 and 99.65 at 43, where the close is 100.',
  },
  {
    id: 'stochastic-cross',
    bars: dipAndTop,
    trades: [
      ['LONG', 29, 43, 'SIGNAL'],
      ['SHORT', 43, 46, 'END'],
    ],
    mirrors: true,
    why: '%K and %D are 0 up to 27; at 28 the close is 1 of 9 above the low: 3.7 and 1.2. Both 100 up to 41; at 42: 97.4 and 99.1.',
  },
  {
    id: 'stochastic-rsi',
    bars: bars([...flat(100, 50), ...steps(100, -1, 5), ...steps(95, 1, 6), ...steps(101, -1, 3), ...flat(98, 3)]),
    trades: [
      ['LONG', 57, 64, 'SIGNAL'],
      ['SHORT', 64, 66, 'END'],
    ],
    mirrors: true,
    why: 'RSI 50, then 0, 19.9, 34.1 at 54 to 56: places 0, 39.8, 68.1, so %K 13.3 and 36. From 60 on 100, 87.9, 77.7, 69.1: %K 78.2 at 63.',
  },
  {
    id: 'commodity-channel',
    bars: bars([...flat(100, 40), ...flat(103, 11)]),
    trades: [['LONG', 41, 48, 'RULE']],
    mirrors: true,
    why: 'At 40: 1.9 / (0.015 * 0.19) = 667. With six candles of 103 it is 102.6, with seven, at 47, 89.4.',
  },
  {
    id: 'williams-r',
    bars: dipAndTop,
    trades: [
      ['LONG', 30, 44, 'SIGNAL'],
      ['SHORT', 44, 46, 'END'],
    ],
    mirrors: true,
    why: 'At 28 it is -88.9, at 29 the close is 2 of 9 above the low: -77.8. At 42: -7.7; at 43: 4 of 12 below the high, -33.3.',
  },
  {
    id: 'money-flow-reversal',
    bars: bars([...flat(100, 20), ...steps(100, -1, 10), ...steps(90, 1, 14), ...steps(104, -1, 3), ...flat(101, 3)]),
    trades: [
      ['LONG', 33, 47, 'SIGNAL'],
      ['SHORT', 47, 49, 'END'],
    ],
    mirrors: true,
    why: 'Ten falls are 948 of money; three rises make 16.1 at 31 and 22.5 at 32. After fourteen rises the falls give 92.5, 85.1, 78.0 at 44 to 46.',
  },
  {
    id: 'internal-strength',
    bars: withBars(bars([...flat(100, 20), 97.2, 98, ...flat(99.9, 4)], 1), {
      20: [100, 101, 97, 97.2],
      21: [97.2, 99, 97, 98],
      22: [98, 100, 97.5, 99.9],
    }),
    trades: [['LONG', 21, 23, 'RULE']],
    why: 'Places 0.05 at 20, 0.5 at 21, 0.96 at 22.',
  },
  {
    id: 'turtle-soup',
    bars: withBars(bars([...flat(100, 35), 99.5, 103, 106, ...flat(109, 3)], 1), {
      30: [100, 101, 98, 100],
      35: [100, 101, 97.5, 99.5],
    }),
    trades: [['LONG', 36, 38, 'TP']],
    mirrors: true,
    why: 'The low of 98 is 5 candles old at 35, which falls to 97.5 and closes above. Range 2.156: target 99.5 + 8.63 = 108.1; highs 104, 107, 110.',
  },
  {
    id: 'holy-grail',
    bars: withBars(bars([100, ...steps(100, 1, 60), 152, 161, ...steps(161, 2, 7)]), { 61: [160, 160, 149, 152] }),
    trades: [['LONG', 63, 67, 'TP']],
    why: 'The average lags 9.5 behind: 150.64 at 61, whose low is 149; 62 closes at 161 > 160 with an ADX of 88. Range 2.235: target 169.9; highs 169 at 66, 171 at 67.',
  },
  {
    id: 'holy-grail',
    bars: withBars(bars([200, ...steps(200, -1, 60), 148, 139, ...steps(139, -2, 7)]), { 61: [140, 151, 140, 148] }),
    trades: [['SHORT', 63, 67, 'TP']],
    why: 'The same with every price p as 300 - p: target 139 - 8.94 = 130.06, lows 131 at 66 and 129 at 67.',
  },
  {
    id: 'rsi-range',
    bars: bars([...flat(100, 205), ...steps(100, 1, 20), ...steps(120, -1, 11), ...steps(109, 1, 15), 124, 124, 124]),
    trades: [['LONG', 237, 251, 'RULE']],
    why: 'After 20 rises and 11 falls the RSI is 38.0, 42.9 at 236. Fourteen rises later, at 250, it is 81.0, one before 79.5.',
  },
  {
    id: 'triple-screen',
    bars: withBars(
      bars([
        ...flat(100, 160),
        ...[100.5, 101, 101.5, 102, 100.2, 100.3, 100.6, 101],
        ...[100.5, 100.3, 100.1, 100],
        ...flat(100, 4),
      ]),
      { 165: [100.2, 100.4, 100.1, 100.3] },
    ),
    trades: [['LONG', 167, 172, 'RULE']],
    mirrors: true,
    why: 'The 4-hour histogram is 0, 0.1276 (known at 163), 0.1369 (167), 0.0710 (171). At 165 the close is 15 % of the range above the low; 166 closes above 100.4.',
  },
];
