import { bars, flat, steps, zigzag } from './series.ts';
import type { Worked } from './worked.ts';

export const workedClocks: Worked[] = [
  {
    id: 'vwap-trend',
    bars: bars([...flat(100, 10), ...flat(101, 10), ...flat(99, 80)]),
    trades: [
      ['LONG', 11, 21, 'SIGNAL'],
      ['SHORT', 21, 96, 'RULE'],
    ],
    mirrors: true,
    why: 'At 10: 101 > 100.06, the average. At 20: 99 < 100.5. The day ends with 95; from 96 on the average is 99 like the close.',
  },
  {
    id: 'bitcoin-evening',
    bars: bars(zigzag(50)),
    trades: [
      ['LONG', 21, 23, 'RULE'],
      ['LONG', 45, 47, 'RULE'],
    ],
    why: 'Hourly candle 20 closes at 21:00, 22 at 23:00; 44 and 46 a day later.',
  },
  {
    id: 'bitcoin-maximum',
    bars: bars([...steps(141, -1, 55), 88, 90, 92.5, 94, ...flat(93, 4)]),
    trades: [['LONG', 58, 60, 'RULE']],
    why: 'Closes 140 to 86 at 0 to 54. At 56: 90 < 93 of 47. At 57: 92.5 > 92 of 48. At 58: 94. At 59: 93 < 94.',
  },
  {
    id: 'bitcoin-monday',
    bars: bars(zigzag(130)),
    trades: [['LONG', 96, 120, 'RULE']],
    why: 'The series starts on a Thursday: Monday is candles 96 to 119.',
  },
  {
    id: 'funding-carry',
    bars: bars(zigzag(40)),
    funding: [
      [8, 0.0001],
      [16, 0.0005],
      [24, 0.0002],
      [32, -0.0001],
    ],
    trades: [['SHORT', 16, 32, 'RULE']],
    why: '0.0005 > 0.0003 is known at the close of 15, -0.0001 at that of 31.',
  },
  {
    id: 'funding-carry',
    bars: bars(zigzag(40)),
    funding: [
      [8, 0.0001],
      [16, -0.0005],
      [24, -0.0002],
      [32, 0.0001],
    ],
    trades: [['LONG', 16, 32, 'RULE']],
    why: '-0.0005 < -0.0003 is known at the close of 15, 0.0001 at that of 31.',
  },
  {
    id: 'funding-extreme',
    bars: bars(zigzag(290)),
    funding: Array.from({ length: 37 }, (_, i) => [8 * i, i === 32 ? 0.001 : 0.0001] as const),
    trades: [['SHORT', 256, 280, 'TIME']],
    why: 'At 255 one of 240 candles has 0.001: mean 0.000104, deviation 0.000058. At 280 the deviation is larger than the mean.',
  },
  {
    id: 'funding-extreme',
    bars: bars(zigzag(290)),
    funding: Array.from({ length: 37 }, (_, i) => [8 * i, i === 32 ? -0.001 : 0.0001] as const),
    trades: [['LONG', 256, 280, 'TIME']],
    why: 'At 255 one of 240 candles has -0.001: mean 0.000095, deviation 0.000071. From 263 on two deviations above the mean are 0.00046.',
  },
];
