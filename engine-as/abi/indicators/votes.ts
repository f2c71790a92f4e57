import * as preset from '../defaults.ts';
import { VOTE_PERIOD_MAX } from '../votes.ts';
import type { IndicatorParameter, ParameterOrder, Parameters, VoteEntry, VoteParameter } from '../registryTypes.ts';
import { averages } from './averages.ts';
import { levels } from './levels.ts';
import { oscillators } from './oscillators.ts';
import { fastBeforeSlow, period, valueOf } from './parameters.ts';
import { trends as trendIndicators } from './trends.ts';
import { volumes } from './volumes.ts';

const noVolume = 'candles without volume never vote';

const indicators = [...averages, ...oscillators, ...trendIndicators, ...volumes, ...levels];

/** A parameter of an indicator as a vote takes it. */
const own = (parameter: IndicatorParameter): VoteParameter => ({
  ...parameter,
  max: Math.min(parameter.max, VOTE_PERIOD_MAX),
  isLevel: false,
});

/** The parameters of an indicator, in its order. */
function parametersOf(id: string): VoteParameter[] {
  const entry = indicators.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`a vote names the unknown indicator ${id}`);
  return entry.parameters.map(own);
}

const level = (name: string, title: string, value: number, max: number): VoteParameter => ({
  name,
  title,
  default: value,
  min: 0,
  max,
  isInteger: false,
  isLevel: true,
});

/** The two ends of an oscillator of 0 to 100. */
const ends = (oversold: number, overbought: number): VoteParameter[] => [
  level('oversold', 'Oversold below', oversold, 100),
  level('overbought', 'Overbought above', overbought, 100),
];
const endsInOrder: ParameterOrder = { first: 'oversold', second: 'overbought', how: 'below' };

/** Two averages that cross. */
const cross = (fast: number, slow: number): VoteParameter[] => [
  own(period('fast', 'Fast period', fast)),
  own(period('slow', 'Slow period', slow, 2)),
];

const at =
  (name: string, less = 0) =>
  (params: Parameters): number =>
    valueOf(params, name) - less;
const linesWarmup = (params: Parameters): number => Math.max(valueOf(params, 'tenkan'), valueOf(params, 'kijun')) - 1;
const cloudWarmup = (params: Parameters): number =>
  Math.max(linesWarmup(params), valueOf(params, 'span') - 1) + valueOf(params, 'displacement') - 1;
const percentOf = (fraction: number | undefined): number => Math.round(1000 * (fraction ?? 0)) / 10;

const trends: readonly VoteEntry[] = [
  {
    id: 'macd',
    title: 'MACD',
    family: 'trend',
    searchGroup: 'trend',
    indicators: ['macd'],
    parameters: parametersOf('macd'),
    order: fastBeforeSlow,
    warmup: (params) => valueOf(params, 'slow') + valueOf(params, 'signal') - 2,
    rule: () => ({
      long: 'histogram above 0',
      short: 'histogram below 0',
      neutral: 'within 1e-9 of the close of 0',
    }),
  },
  {
    id: 'adx',
    title: 'ADX',
    family: 'trend',
    searchGroup: 'trend',
    indicators: ['adx'],
    parameters: [...parametersOf('adx'), level('trend', 'Trend above', preset.ADX_TREND, 100)],
    warmup: (params) => 2 * valueOf(params, 'period') - 1,
    rule: ({ trend }) => ({
      long: `ADX above ${trend} and +DI above -DI`,
      short: `ADX above ${trend} and +DI below -DI`,
      neutral: `ADX at or below ${trend}, or equal DIs`,
    }),
  },
  {
    id: 'supertrend',
    title: 'Supertrend',
    family: 'trend',
    searchGroup: 'trend',
    indicators: ['supertrend'],
    parameters: parametersOf('supertrend'),
    warmup: at('period'),
    rule: () => ({ long: 'direction 1', short: 'direction -1', neutral: 'never' }),
  },
  {
    id: 'ichimoku',
    title: 'Ichimoku',
    family: 'trend',
    searchGroup: 'structure',
    indicators: ['ichimoku'],
    parameters: parametersOf('ichimoku'),
    warmup: cloudWarmup,
    rule: () => ({
      long: 'close above both spans and tenkan above kijun',
      short: 'close below both spans and tenkan below kijun',
      neutral: 'inside the cloud, or the lines disagree with it',
    }),
  },
  {
    id: 'ema_cross',
    title: 'EMA cross',
    family: 'trend',
    searchGroup: 'trend',
    indicators: ['ema12', 'ema26'],
    parameters: cross(preset.EMA_FAST, preset.EMA_SLOW),
    order: fastBeforeSlow,
    warmup: at('slow', 1),
    rule: ({ fast, slow }) => ({
      long: `EMA(${fast}) above EMA(${slow})`,
      short: `EMA(${fast}) below EMA(${slow})`,
      neutral: 'within 1e-9 of the close of each other',
    }),
  },
  {
    id: 'sma_cross',
    title: 'SMA cross',
    family: 'trend',
    searchGroup: 'trend',
    indicators: ['sma20', 'sma50'],
    parameters: cross(preset.SMA_FAST, preset.SMA_SLOW),
    order: fastBeforeSlow,
    warmup: at('slow', 1),
    rule: ({ fast, slow }) => ({
      long: `SMA(${fast}) above SMA(${slow})`,
      short: `SMA(${fast}) below SMA(${slow})`,
      neutral: 'within 1e-9 of the close of each other',
    }),
  },
  {
    id: 'ich_align',
    title: 'Ichimoku lines',
    family: 'trend',
    searchGroup: 'structure',
    indicators: ['ichimoku'],
    parameters: parametersOf('ichimoku').filter(({ name }) => name === 'tenkan' || name === 'kijun'),
    warmup: linesWarmup,
    rule: () => ({
      long: 'close above tenkan and tenkan above kijun',
      short: 'close below tenkan and tenkan below kijun',
      neutral: 'any other order',
    }),
  },
  {
    id: 'ich_cloud',
    title: 'Ichimoku cloud',
    family: 'trend',
    searchGroup: 'structure',
    indicators: ['ichimoku'],
    parameters: parametersOf('ichimoku'),
    warmup: cloudWarmup,
    rule: () => ({
      long: 'close above both spans',
      short: 'close below both spans',
      neutral: 'inside the cloud',
    }),
  },
];

const reversals: readonly VoteEntry[] = [
  {
    id: 'rsi',
    title: 'RSI',
    family: 'reversal',
    searchGroup: 'reversal',
    indicators: ['rsi'],
    parameters: [...parametersOf('rsi'), ...ends(preset.RSI_OVERSOLD, preset.RSI_OVERBOUGHT)],
    order: endsInOrder,
    warmup: at('period'),
    rule: ({ oversold, overbought }) => ({
      long: `RSI below ${oversold}`,
      short: `RSI above ${overbought}`,
      neutral: 'in between',
    }),
  },
  {
    id: 'boll',
    title: 'Bollinger bands',
    family: 'reversal',
    searchGroup: 'reversal',
    indicators: ['boll'],
    parameters: parametersOf('boll'),
    warmup: at('period', 1),
    rule: () => ({
      long: 'close below the lower band',
      short: 'close above the upper band',
      neutral: 'between the bands, or within 1e-9 of the close of one',
    }),
  },
  {
    id: 'stochrsi',
    title: 'Stochastic RSI',
    family: 'reversal',
    searchGroup: 'reversal',
    indicators: ['stochrsi'],
    parameters: [...parametersOf('stochrsi'), ...ends(preset.STOCHRSI_OVERSOLD, preset.STOCHRSI_OVERBOUGHT)],
    order: endsInOrder,
    warmup: (params) =>
      valueOf(params, 'rsi') + valueOf(params, 'stochastic') + valueOf(params, 'k') + valueOf(params, 'd') - 3,
    rule: ({ oversold, overbought }) => ({
      long: `%K below ${oversold} and above %D`,
      short: `%K above ${overbought} and below %D`,
      neutral: 'anywhere else, or within 1e-9 points of %D',
    }),
  },
];

const volumeVotes: readonly VoteEntry[] = [
  {
    id: 'vwap',
    title: 'VWAP',
    family: 'volume',
    searchGroup: 'structure',
    indicators: ['vwap'],
    parameters: parametersOf('vwap'),
    warmup: (params) => Math.max(0, valueOf(params, 'period') - 1),
    rule: ({ period: candles }) => ({
      long: candles === 0 ? 'close above the VWAP since UTC midnight' : `close above the VWAP of ${candles} candles`,
      short: 'close below it',
      neutral: `within 1e-9 of the close of it; ${noVolume}`,
    }),
  },
  {
    id: 'mfi',
    title: 'Money flow index',
    family: 'volume',
    searchGroup: 'reversal',
    indicators: ['mfi'],
    parameters: [...parametersOf('mfi'), ...ends(preset.MFI_OVERSOLD, preset.MFI_OVERBOUGHT)],
    order: endsInOrder,
    warmup: at('period'),
    rule: ({ oversold, overbought }) => ({
      long: `MFI below ${oversold}`,
      short: `MFI above ${overbought}`,
      neutral: `in between; ${noVolume}`,
    }),
  },
  {
    id: 'obv',
    title: 'On-balance volume',
    family: 'volume',
    searchGroup: 'trend',
    indicators: ['obv'],
    parameters: [own(period('mean', 'Mean of', preset.OBV_MEAN_PERIOD))],
    warmup: at('mean', 1),
    rule: ({ mean }) => ({
      long: `OBV above its mean of ${mean} candles`,
      short: 'OBV below it',
      neutral: `equal; ${noVolume}`,
    }),
  },
];

const levelVotes: readonly VoteEntry[] = [
  {
    id: 'cci',
    title: 'CCI',
    family: 'level',
    searchGroup: 'reversal',
    indicators: ['cci'],
    parameters: [...parametersOf('cci'), level('breakout', 'Breakout beyond', preset.CCI_BREAKOUT, 1000)],
    warmup: at('period', 1),
    rule: ({ breakout }) => ({
      long: `CCI above ${breakout}`,
      short: `CCI below -${breakout}`,
      neutral: "in between (Lambert's use: a breakout from the usual range)",
    }),
  },
  {
    id: 'donchian',
    title: 'Donchian channel',
    family: 'level',
    searchGroup: 'structure',
    indicators: ['donchian'],
    parameters: parametersOf('donchian'),
    warmup: at('period'),
    rule: ({ period: candles }) => ({
      long: `close above the highest high of the ${candles} candles before`,
      short: 'close below their lowest low',
      neutral: 'inside the channel',
    }),
  },
  {
    id: 'fib',
    title: 'Fibonacci retracement',
    family: 'level',
    searchGroup: 'structure',
    indicators: ['fib'],
    parameters: [
      ...parametersOf('fib'),
      level('near', 'Zone from', preset.FIB_ZONE_NEAR, 1),
      level('far', 'Zone to', preset.FIB_ZONE_FAR, 1),
    ],
    order: { first: 'near', second: 'far', how: 'below' },
    warmup: (params) => 2 * valueOf(params, 'reach') + 1,
    rule: ({ near, far }) => ({
      long: `leg up and the close ${percentOf(near)} to ${percentOf(far)} % of the way back down it`,
      short: `leg down and the close ${percentOf(near)} to ${percentOf(far)} % of the way back up it`,
      neutral: 'outside that zone',
    }),
  },
  {
    id: 'pivot',
    title: 'Pivot points',
    family: 'level',
    searchGroup: 'structure',
    indicators: ['pivot'],
    parameters: [],
    warmup: () => 1,
    daysBefore: 1,
    rule: () => ({
      long: "close above the previous UTC day's pivot",
      short: 'close below it',
      neutral: 'within 1e-9 of the close of it',
    }),
  },
];

export const voteEntries: readonly VoteEntry[] = [...trends, ...reversals, ...volumeVotes, ...levelVotes];
