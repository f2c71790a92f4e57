import * as preset from '../defaults.ts';
import { KIND_BOLL, KIND_EMA, KIND_MACD, KIND_SMA } from '../indicatorKinds.ts';
import type { IndicatorEntry, Parameters } from '../registryTypes.ts';
import { fastBeforeSlow, inOrder, multiple, output, period, periodLessOne, valueOf } from './parameters.ts';

const sma: IndicatorEntry = {
  id: 'sma',
  title: 'Simple moving average',
  kind: KIND_SMA,
  isPriceLevel: true,
  parameters: [period('period', 'Period', preset.SMA_FAST)],
  outputs: [output('sma', 'quote', periodLessOne)],
  memory: 'window',
  isWarmupDataDependent: false,
  definition: 'Mean close of the last `period` candles: the price level without the noise of single candles.',
  formula: 'SMA[i] = (close[i - period + 1] + ... + close[i]) / period, from candle period - 1 on.',
  neutral: 'Equal closes give exactly that close.',
  example: 'Closes 1, 2, 3, 4 with period 2: none, 1.5, 2.5, 3.5.',
  source: 'Arithmetic mean; TA-Lib SMA.',
};

const ema: IndicatorEntry = {
  id: 'ema',
  title: 'Exponential moving average',
  kind: KIND_EMA,
  isPriceLevel: true,
  parameters: [period('period', 'Period', preset.EMA_FAST)],
  outputs: [output('ema', 'quote', periodLessOne)],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'Mean close that forgets gradually: the newest candle weighs most, older ones ever less.',
  formula:
    'EMA[period - 1] is the SMA of the first `period` closes; then EMA[i] = EMA[i - 1] + 2 / (period + 1) * (close[i] - EMA[i - 1]).',
  neutral: 'Equal closes give exactly that close.',
  example: 'Closes 1, 2, 3, 6 with period 2: none, 1.5, then 1.5 + 2/3 * 1.5 = 2.5, then 2.5 + 2/3 * 3.5 = 4.8333.',
  source: 'TA-Lib EMA (seeded by the SMA), the same as TradingView.',
};

const macdWarmup = (params: Parameters): number => valueOf(params, 'slow') + valueOf(params, 'signal') - 2;

const macd: IndicatorEntry = {
  id: 'macd',
  title: 'Moving average convergence divergence',
  kind: KIND_MACD,
  isPriceLevel: false,
  parameters: [
    period('fast', 'Fast EMA', preset.MACD_FAST),
    period('slow', 'Slow EMA', preset.MACD_SLOW, 2),
    period('signal', 'Signal EMA', preset.MACD_SIGNAL),
  ],
  outputs: [
    output('macd', 'quote', macdWarmup),
    output('signal', 'quote', macdWarmup),
    output('histogram', 'quote', macdWarmup),
  ],
  memory: 'recursive',
  isWarmupDataDependent: false,
  check: inOrder(fastBeforeSlow),
  definition:
    'Distance between a fast and a slow average. It grows while a move gathers pace; its own average (the signal) shows when the pace turns.',
  formula:
    'macd = EMA(fast) - EMA(slow), both starting on candle slow - 1 with the mean of their last closes up to there; signal = EMA of macd seeded by the mean of its first `signal` values; histogram = macd - signal. All start at slow + signal - 2.',
  neutral: 'Equal closes give 0.',
  example:
    'Closes 1, 2, 3, 4, 5 with 1, 2, 2: fast is the close, slow is 1.5, 2.5, 3.5, 4.5 from candle 1 on, so macd is 0.5 throughout; from candle 2 on the signal is 0.5 and the histogram 0.',
  source: 'G. Appel, Technical Analysis: Power Tools for Active Investors (2005); seeds as in TA-Lib MACD.',
};

const boll: IndicatorEntry = {
  id: 'boll',
  title: 'Bollinger bands',
  kind: KIND_BOLL,
  isPriceLevel: true,
  parameters: [
    period('period', 'Period', preset.BOLL_PERIOD),
    multiple('width', 'Width in deviations', preset.BOLL_WIDTH),
  ],
  outputs: [
    output('upper', 'quote', periodLessOne),
    output('middle', 'quote', periodLessOne),
    output('lower', 'quote', periodLessOne),
  ],
  memory: 'window',
  isWarmupDataDependent: false,
  definition: 'A band around the mean as wide as the closes scatter: outside it the close is unusual for the period.',
  formula:
    'middle = SMA(period); deviation = sqrt(mean of (close - middle)^2 over the same closes), the population deviation; upper, lower = middle +- width * deviation.',
  neutral: 'Equal closes give three equal lines.',
  example: 'Closes 1, 3 with period 2 and width 2: middle 2, deviation 1, bands 4 and 0.',
  source: 'J. Bollinger, Bollinger on Bollinger Bands (2001); TA-Lib BBANDS.',
};

export const averages: readonly IndicatorEntry[] = [sma, ema, macd, boll];
