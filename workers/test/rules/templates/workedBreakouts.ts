import { bars, flat, steps, withBars, zigzag } from './series.ts';
import type { Worked } from './worked.ts';

/** Quiet at 100, a close of 103 at candle `quiet`, 25 more of them, then 101; highs and lows are 1 beyond open and close. */
const breakout = (quiet: number) => bars([...flat(100, quiet), ...flat(103, 26), ...flat(101, 6)], 1);

export const workedBreakouts: Worked[] = [
  {
    id: 'turtle-1',
    bars: breakout(60),
    trades: [['LONG', 61, 87, 'RULE']],
    mirrors: true,
    why: 'At 60: 103 > 101. At 86: 101 < 102, the low of ten candles of 103. The stop is 2 * 2.15 below 103. At 87 the low before is 100.',
  },
  {
    id: 'turtle-2',
    bars: breakout(80),
    trades: [['LONG', 81, 107, 'RULE']],
    mirrors: true,
    why: 'At 80: 103 > 101. At 106 the 20 candles before are all of 103, so their low is 102 > 101.',
  },
  {
    id: 'donchian-trend',
    bars: breakout(360),
    trades: [['LONG', 361, 387, 'RULE']],
    mirrors: true,
    why: 'At 360 the averages are 100.23 and 100.02 and 103 > 101. At 386: 101 < 102; the averages forbid the short.',
  },
  {
    id: 'four-week-rule',
    bars: breakout(60),
    trades: [
      ['LONG', 61, 87, 'SIGNAL'],
      ['SHORT', 87, 91, 'END'],
    ],
    mirrors: true,
    why: 'At 60: 103 > 101. At 86: 101 < 102, the low of twenty candles of 103.',
  },
  {
    id: 'range-break',
    bars: bars([...flat(100, 201), ...flat(101, 20)]),
    trades: [['LONG', 202, 212, 'TIME']],
    mirrors: true,
    why: 'At 201: 101 > 100. Ten candles are complete with 211; later closes of 101 are no new high.',
  },
  {
    id: 'keltner-breakout',
    bars: bars([...flat(100, 30), ...flat(103, 21), ...flat(99, 5)], 1),
    trades: [
      ['LONG', 31, 52, 'SIGNAL'],
      ['SHORT', 52, 55, 'END'],
    ],
    mirrors: true,
    why: 'At 30: line 100.2, width 2.3, 103 is above. At 51: line 102.73, width 2.4, 99 is below.',
  },
  {
    id: 'bollinger-breakout',
    bars: bars([...flat(100, 355), ...flat(103, 11), ...flat(99, 4)]),
    trades: [['LONG', 356, 367, 'RULE']],
    mirrors: true,
    why: 'At 355: mean 100.009, deviation 0.16, upper band 100.41. At 366: 99 is below the mean of 100.09, above the lower band of 98.8.',
  },
  {
    id: 'bollinger-squeeze',
    bars: bars([...flat(100, 200), ...flat(103, 11), ...flat(97, 5)]),
    trades: [['LONG', 201, 212, 'RULE']],
    mirrors: true,
    why: 'At 199 the bands have no width; at 200 the upper one is 101.46. At 211 the lower one is 97.95; the squeeze is 12 candles old.',
  },
  {
    id: 'bollinger-money-flow',
    bars: bars([...zigzag(30), ...steps(101, 1, 5), 106, 106, 106, ...flat(101, 4)]),
    trades: [['LONG', 35, 39, 'RULE']],
    why: 'At 34 eight of ten changes rose: 819 / (819 + 199) = 80.4; at 33 seven. The close is above the band of 105.1. At 38: 101 < 102.',
  },
  {
    id: 'bollinger-money-flow',
    bars: bars([...zigzag(30), ...steps(100, -1, 8), 92, 92, ...flat(99, 4)]),
    trades: [['SHORT', 38, 41, 'RULE']],
    why: 'At 37 nine of ten changes fell: 100 / (100 + 867) = 10.4; at 36 eight, 20.6. The close of 92 is below the band of 92.7. At 40: 99 > 97.4; the stop is at 99.36.',
  },
  {
    id: 'squeeze-release',
    bars: bars([...flat(100, 40), 110, 111, 111, ...flat(110, 4)], 1),
    trades: [['LONG', 41, 44, 'RULE']],
    mirrors: true,
    why: 'At 40 two deviations are 4.36, 1.5 ranges 3.75: released with a pace of 10. Pace 11, 11, then 10 at 43.',
  },
  {
    id: 'chandelier-exit',
    bars: bars([...flat(100, 40), ...flat(103, 6), ...flat(106, 5), ...flat(99, 4)], 1),
    trades: [['LONG', 41, 52, 'RULE']],
    mirrors: true,
    why: 'At 51 the range is 2.508 after one of 9: 107 - 7.52 = 99.48 > 99. The stop is at 103 - 3 * 2.136 = 96.6, the low 98.',
  },
  {
    id: 'narrow-range-7',
    bars: withBars(bars([...flat(100, 11), ...flat(101.5, 6)], 1), {
      10: [100, 100.5, 99.5, 100],
      11: [100, 102, 99.8, 101.5],
    }),
    trades: [['LONG', 12, 13, 'TIME']],
    mirrors: true,
    why: 'Candle 10 has a range of 1, the six before 2; 11 closes above 100.5. One candle later it leaves.',
  },
  {
    id: 'inside-narrow-4',
    bars: withBars(bars([...flat(100, 11), ...flat(101.5, 6)], 1), {
      10: [100, 100.5, 99.5, 100],
      11: [100, 102, 99.8, 101.5],
    }),
    trades: [['LONG', 12, 13, 'TIME']],
    mirrors: true,
    why: 'Candle 10 lies within 9 and has a range of 1, the three before 2; 11 closes above 100.5.',
  },
  {
    id: 'opening-range',
    bars: bars([...flat(100, 10), ...flat(102, 90)], 1),
    trades: [['LONG', 11, 92, 'RULE']],
    mirrors: true,
    why: 'The first hour is candles 0 to 3, up to 101; 10 closes at 102. The candle that closes at 23:00 is 91.',
  },
  {
    id: 'volatility-breakout',
    bars: bars([...flat(100, 30), ...flat(102, 20)], 1),
    trades: [['LONG', 31, 48, 'RULE']],
    mirrors: true,
    why: 'Day 0 has a range of 2, day 1 opens at 100: the level is 101, candle 30 closes at 102. Day 1 ends with candle 47.',
  },
  {
    id: 'dual-thrust',
    bars: bars([...flat(100, 126), ...flat(102, 4), ...flat(99, 6)], 1),
    trades: [
      ['LONG', 127, 131, 'SIGNAL'],
      ['SHORT', 131, 135, 'END'],
    ],
    mirrors: true,
    why: 'Four days have highs of 101, lows of 99, closes of 100: range 1. Day 5 opens at 100: levels 100.5 and 99.5.',
  },
  {
    id: 'volume-breakout',
    bars: bars([...flat(100, 55), ...steps(100, 2, 13)], 1),
    volumes: { 55: 3 },
    trades: [['LONG', 56, 65, 'TP']],
    why: 'At 55: 102 > 101 and 3 > 1.5 * 1.04. The target is 102 * 1.2 = 122.4; the high of 64 is 121, of 65 it is 123.',
  },
  {
    id: 'balance-volume',
    bars: bars([...zigzag(30), ...flat(102, 15), ...flat(101, 4)]),
    trades: [['LONG', 31, 46, 'RULE']],
    mirrors: true,
    why: 'The total goes 1, 2, 1, 2; at 30 it is 3. At 45 it is 2, below ten times 3, not below the 1 of 28.',
  },
];
