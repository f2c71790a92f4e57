import * as preset from '../defaults.ts';
import { KIND_DONCHIAN, KIND_FIB, KIND_ICHIMOKU, KIND_PIVOT } from '../indicatorKinds.ts';
import type { IndicatorEntry, IndicatorOutput, Parameters } from '../registryTypes.ts';
import { onePeriod, output, period, valueOf } from './parameters.ts';

const donchian: IndicatorEntry = {
  id: 'donchian',
  title: 'Donchian channel',
  kind: KIND_DONCHIAN,
  isPriceLevel: true,
  parameters: [period('period', 'Period', preset.DONCHIAN_PERIOD)],
  outputs: [output('upper', 'quote', onePeriod), output('lower', 'quote', onePeriod)],
  memory: 'window',
  isWarmupDataDependent: false,
  definition: 'Highest high and lowest low of the candles BEFORE the current one, so that a close can break out of it.',
  formula: 'upper[i] = max of high[i - period .. i - 1], lower[i] = min of low[i - period .. i - 1].',
  neutral: 'Equal candles give the channel of that candle.',
  example: 'Highs 3, 5, 4, 6 with period 2: none, none, 5, 5.',
  source: 'R. Donchian, four-week rule. Many charts include the current candle; then no close could ever be outside.',
};

const displaced = (params: Parameters): number => valueOf(params, 'displacement') - 1;
const tenkanWarmup = (params: Parameters): number => valueOf(params, 'tenkan') - 1;
const kijunWarmup = (params: Parameters): number => valueOf(params, 'kijun') - 1;

const ichimoku: IndicatorEntry = {
  id: 'ichimoku',
  title: 'Ichimoku cloud',
  kind: KIND_ICHIMOKU,
  isPriceLevel: true,
  parameters: [
    period('tenkan', 'Tenkan', preset.ICHIMOKU_TENKAN),
    period('kijun', 'Kijun', preset.ICHIMOKU_KIJUN),
    period('span', 'Senkou span B', preset.ICHIMOKU_SPAN),
    period('displacement', 'Displacement', preset.ICHIMOKU_DISPLACEMENT),
  ],
  outputs: [
    output('tenkan', 'quote', tenkanWarmup),
    output('kijun', 'quote', kijunWarmup),
    output('senkouA', 'quote', (params) => Math.max(tenkanWarmup(params), kijunWarmup(params)) + displaced(params)),
    output('senkouB', 'quote', (params) => valueOf(params, 'span') - 1 + displaced(params)),
  ],
  memory: 'window',
  isWarmupDataDependent: false,
  definition:
    'Middles of three ranges; two of them are drawn ahead as a cloud. Here every line is given as it is known at the candle: the cloud above a candle is the one computed `displacement` - 1 candles earlier. The lagging span is left out, because it only draws a later close in the past.',
  formula:
    'middle(n) = (highest high + lowest low of n candles) / 2; tenkan = middle(tenkan); kijun = middle(kijun); senkouA[i] = (tenkan + kijun) / 2 and senkouB[i] = middle(span), both taken at candle i - displacement + 1.',
  neutral: 'Equal candles give four equal lines.',
  example:
    'Highs 3, 5, 4 and lows 1, 2, 3 with 1, 2, 2 and displacement 2: tenkan 2, 3.5, 3.5; kijun none, 3, 3.5; senkouA at candle 2 is (3.5 + 3) / 2 = 3.25, senkouB is 3.',
  source: 'G. Hosoda, Ichimoku Kinko Hyo (1969); displaced as on TradingView, counting the current candle.',
};

const secondDay = (): number => 1;

const pivot: IndicatorEntry = {
  id: 'pivot',
  title: 'Pivot points',
  kind: KIND_PIVOT,
  isPriceLevel: true,
  parameters: [],
  outputs: ['pivot', 'r1', 's1', 'r2', 's2', 'r3', 's3'].map((name) => output(name, 'quote', secondDay)),
  memory: 'session',
  isWarmupDataDependent: true,
  definition:
    'Support and resistance from the previous UTC day that has candles. A candle belongs to the day of its open. A first day that does not start at midnight is incomplete and gives no levels, so the first levels are on the day after the first complete one.',
  formula:
    'With high H, low L, close C of that day: pivot = (H + L + C) / 3, r1 = 2 pivot - L, s1 = 2 pivot - H, r2 = pivot + (H - L), s2 = pivot - (H - L), r3 = H + 2 (pivot - L), s3 = L - 2 (H - pivot).',
  neutral: 'A day that did not move gives seven equal levels.',
  example: 'H 12, L 9, C 9: pivot 10, r1 11, s1 8, r2 13, s2 7, r3 14, s3 5.',
  source: 'Classic floor-trader pivots (TradingView: Traditional).',
};

const swings = (params: Parameters): number => 2 * valueOf(params, 'reach') + 1;
const fibLevels = ['level236', 'level382', 'level500', 'level618', 'level786'];

const fibOutputs: IndicatorOutput[] = [
  output('swingHigh', 'quote', swings),
  output('swingLow', 'quote', swings),
  output('direction', '-1 or 1', swings),
  ...fibLevels.map((name) => output(name, 'quote', swings)),
];

const fib: IndicatorEntry = {
  id: 'fib',
  title: 'Fibonacci retracement',
  kind: KIND_FIB,
  isPriceLevel: true,
  parameters: [period('reach', 'Candles on each side of a swing', preset.FIB_REACH)],
  outputs: fibOutputs,
  memory: 'swings',
  isWarmupDataDependent: true,
  definition:
    'Levels part of the way back of the last leg between two confirmed swings. A swing needs `reach` candles on its right, so it is used only `reach` candles after it happened. First values come when a swing high and a swing low have been confirmed.',
  formula:
    'Candle j is a swing high when no high within `reach` candles is above it and none of those before equals it; a swing low mirrored. Swings alternate; a new swing of the same side counts only when it is further out, and one that would put the high at or below the low does not count. direction is 1 when the high is the later swing; level r = end of the leg + r * (start - end), r = 0.236, 0.382, 0.5, 0.618, 0.786.',
  neutral: 'A market that does not move has no swings.',
  example: 'A leg from 100 up to 110: level382 is 110 - 0.382 * 10 = 106.18, level618 is 103.82.',
  source:
    'Retracement ratios of technical analysis (R. Fischer, Fibonacci Applications, 1993); swings are Williams fractals.',
};

export const levels: readonly IndicatorEntry[] = [donchian, ichimoku, pivot, fib];
