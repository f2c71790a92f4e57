import { bars, flat, steps, withBars } from './series.ts';
import type { Worked } from './worked.ts';

export const workedTrends: Worked[] = [
  {
    id: 'donchian-5-20',
    bars: bars([...flat(100, 40), ...flat(104, 20), ...flat(99, 11)]),
    trades: [
      ['LONG', 41, 61, 'SIGNAL'],
      ['SHORT', 61, 70, 'END'],
    ],
    mirrors: true,
    why: 'At 40 the averages are 100.8 and 100.2, before both 100; at 60 they are 103 and 103.75. From 64 on the fast one is 99.',
  },
  {
    id: 'triple-cross',
    bars: bars([...flat(100, 30), ...flat(104, 20), ...flat(102, 10)]),
    trades: [
      ['LONG', 31, 51, 'RULE'],
      ['SHORT', 52, 59, 'END'],
    ],
    mirrors: true,
    why: 'At 30: 101 > 100.44 > 100.22. At 50: 103.5 < 103.78 leaves, and 103.78 < 103.89 lines up the other way: flat at 51, so 51 decides.',
  },
  {
    id: 'triple-cross',
    bars: bars([...flat(100, 30), ...flat(96, 9), ...flat(98, 5)]),
    trades: [['SHORT', 31, 40, 'RULE']],
    mirrors: true,
    why: 'At 30: 99 < 99.56 < 99.78. At 39 the fast ones cross, 96.5 > 96.22, but 96.22 < 97.9: out, no long up to 43, where it is 97.1 < 97.4.',
  },
  {
    id: 'golden-cross',
    bars: bars([...flat(100, 210), ...flat(104, 60), ...flat(98, 35)]),
    trades: [['LONG', 211, 296, 'RULE']],
    why: 'At 269 the averages are 104 and 101.2. Each candle of 98 takes 0.12 and 0.01: the gap of 2.8 is gone after 26 of them, at 295.',
  },
  {
    id: 'average-band',
    bars: bars([...flat(100, 180), ...flat(102, 31)]),
    trades: [['LONG', 181, 205, 'RULE']],
    why: 'At 180 the line is 100.04 * 1.01 = 101.04 < 102. The average gains 0.04 a candle and is above 102 / 1.01 = 100.99 at 204.',
  },
  {
    id: 'average-band',
    bars: bars([...flat(100, 180), ...flat(98, 31)]),
    trades: [['SHORT', 181, 206, 'RULE']],
    why: 'At 180 the line is 99.96 * 0.99 = 98.96 > 98. The average loses 0.04 a candle and is below 98 / 0.99 = 98.99 at 205.',
  },
  {
    id: 'timing-average',
    bars: bars([...flat(100, 305), ...flat(103, 20), ...flat(99, 6)]),
    trades: [['LONG', 306, 326, 'RULE']],
    why: 'At 305: 103 > 100.015. At 325: 99 < (179 * 100 + 20 * 103 + 99) / 200 = 100.295.',
  },
  {
    id: 'time-series-momentum',
    bars: bars([...flat(100, 365), ...flat(101, 36)]),
    trades: [
      ['LONG', 366, 396, 'TIME'],
      ['LONG', 397, 400, 'END'],
    ],
    mirrors: true,
    why: 'At 365: 101 > 100 of 360 candles before. 30 candles are complete with 395; at 396 it is still true.',
  },
  {
    id: 'crypto-momentum',
    bars: bars([...flat(100, 20), ...flat(101, 11)]),
    trades: [['LONG', 21, 28, 'TIME']],
    why: 'At 20: 101 > 100. Seven candles are complete with 27, and there the close of 20 is 101 too.',
  },
  {
    id: 'macd-cross',
    bars: bars([...flat(100, 60), 102, 102, ...flat(98, 5)]),
    trades: [
      ['LONG', 61, 63, 'SIGNAL'],
      ['SHORT', 63, 66, 'END'],
    ],
    mirrors: true,
    why: 'Histogram 0 up to 59, 0.1276 at 60, 0.2007 at 61, then macd 0.0569 below signal 0.0771 at 62 and ever lower.',
  },
  {
    id: 'macd-histogram',
    bars: bars([...flat(100, 40), 102, ...flat(103, 8)]),
    trades: [['SHORT', 45, 48, 'END']],
    mirrors: true,
    why: 'Histogram 0.1276, 0.2645, 0.3355, 0.3608 at 40 to 43 and 0.3552 at 44: the first downturn, above zero.',
  },
  {
    id: 'supertrend',
    bars: withBars(bars([...flat(100, 30), ...flat(93, 11), ...flat(100, 5)], 1), {
      30: [100, 100, 93, 93],
      41: [93, 100, 93, 100],
    }),
    trades: [
      ['SHORT', 31, 42, 'SIGNAL'],
      ['LONG', 42, 45, 'END'],
    ],
    why: 'The first side is up. The lower line is 100 - 3 * 2 = 94: 93 at 30 breaks it. The upper line comes down to 93 + 3 * 2.174 = 99.52 at 40: 100 breaks it.',
  },
  {
    id: 'directional-movement',
    bars: bars([...flat(100, 40), ...steps(100, 1, 30), ...steps(130, -1, 14)]),
    trades: [['SHORT', 80, 83, 'END']],
    mirrors: true,
    why: 'At 40 +DI crosses with an ADX of 7. At 69 the sum of +DM is 12.48, 11.59 after the first fall, whose low is no lower. After nine more, at 79, 14 * (1 - y) is above 11.59 * y with y = (13/14)^9 = 0.513; the ADX is still above 50.',
  },
  {
    id: 'ichimoku-cross',
    bars: bars([...flat(100, 90), ...flat(103, 15), ...flat(101, 4)], 1),
    trades: [['LONG', 100, 106, 'RULE']],
    mirrors: true,
    why: 'Both lines are (104 + 99) / 2 = 101.5 from 90 on; at 99 the nine candles since 91 give 103, above the cloud of 100. At 105: 101 < 101.5.',
  },
  {
    id: 'elder-impulse',
    bars: bars([...flat(100, 40), 102, ...flat(103, 8)]),
    trades: [['LONG', 41, 45, 'RULE']],
    mirrors: true,
    why: 'Average and histogram rise from 40 on; the histogram falls from 0.3608 to 0.3552 at 44, the average still rises.',
  },
  {
    id: 'aroon',
    bars: bars([...flat(100, 40), ...flat(103, 10), ...flat(98, 6)], 1),
    trades: [
      ['LONG', 42, 52, 'SIGNAL'],
      ['SHORT', 52, 55, 'END'],
    ],
    mirrors: true,
    why: 'At 40 the candle has the highest high and the lowest low: 100 and 100. At 41: 100 and 96. At 50 both again; at 51 the high is 1 candle old.',
  },
  {
    id: 'vortex',
    bars: bars([...flat(100, 40), ...flat(103, 4), ...flat(96.5, 5)], 1),
    trades: [
      ['LONG', 41, 45, 'SIGNAL'],
      ['SHORT', 45, 48, 'END'],
    ],
    mirrors: true,
    why: 'Up minus down is 0 while flat, +3 at 40 and again at 41, -6.5 at 44 and 45.',
  },
  {
    id: 'trix',
    bars: bars([...flat(100, 60), 103, ...flat(97, 6)]),
    trades: [
      ['LONG', 61, 63, 'SIGNAL'],
      ['SHORT', 63, 66, 'END'],
    ],
    mirrors: true,
    why: 'With steps of 1/8 the third average is 100 + 0.0059, 0.0095, 0.0057 at 60 to 62: up, up, down.',
  },
  {
    id: 'awesome-oscillator',
    bars: bars([...flat(100, 40), ...flat(104, 5), ...flat(98, 8)]),
    trades: [
      ['LONG', 41, 49, 'SIGNAL'],
      ['SHORT', 49, 52, 'END'],
    ],
    mirrors: true,
    why: 'Middles 102, then 104. At 47 the averages are 101 and 100.44, at 48 they are 99.8 and 100.38.',
  },
  {
    id: 'heikin-ashi',
    bars: bars([...flat(100, 20), ...flat(102, 5), ...flat(99, 5)]),
    trades: [
      ['LONG', 21, 26, 'SIGNAL'],
      ['SHORT', 26, 29, 'END'],
    ],
    mirrors: true,
    why: 'At 20 the averaged close is 101, its open 100. At 25 they are 100.5 and 101.9.',
  },
];
