import * as preset from '../defaults.ts';
import { KIND_CCI, KIND_RSI, KIND_STOCHRSI } from '../indicatorKinds.ts';
import type { IndicatorEntry, Parameters } from '../registryTypes.ts';
import { onePeriod, output, period, periodLessOne, valueOf } from './parameters.ts';

const rsi: IndicatorEntry = {
  id: 'rsi',
  title: 'Relative strength index',
  kind: KIND_RSI,
  isPriceLevel: false,
  parameters: [period('period', 'Period', preset.RSI_PERIOD)],
  outputs: [output('rsi', '0..100', onePeriod)],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'Share of recent movement that went up: 100 when every candle rose, 0 when every candle fell.',
  formula:
    'gain = max(change, 0), loss = max(-change, 0); both are means of the first `period` changes, then mean = mean * (1 - 1 / period) + new / period (Wilder); RSI = 100 * gain / (gain + loss).',
  neutral: '50 when nothing moves (TA-Lib gives 0, which would read as oversold).',
  example:
    'Closes 10, 11, 10, 12 with period 2: gain and loss 0.5 give 50 at candle 2; then gain 1.25, loss 0.25, so 83.33.',
  source: 'J. W. Wilder, New Concepts in Technical Trading Systems (1978), section VI; the same as TradingView.',
};

const cci: IndicatorEntry = {
  id: 'cci',
  title: 'Commodity channel index',
  kind: KIND_CCI,
  isPriceLevel: false,
  parameters: [period('period', 'Period', preset.CCI_PERIOD)],
  outputs: [output('cci', 'none', periodLessOne)],
  memory: 'window',
  isWarmupDataDependent: false,
  definition: 'How far the typical price is from its mean, measured in its usual distance from it.',
  formula:
    'typical = (high + low + close) / 3; mean = SMA of it; deviation = mean of |typical - mean| over the window; CCI = (typical - mean) / (0.015 * deviation).',
  neutral:
    '0 when the window does not move: a mean deviation below 1e-12 of the price is the rounding of (high + low + close) / 3.',
  example: 'Typical prices 1, 2, 3 with period 3: mean 2, deviation 2/3, so 1 / (0.015 * 2/3) = 100.',
  source: 'D. Lambert, Commodity Channel Index, Commodities magazine (October 1980); TA-Lib CCI.',
};

const kWarmup = (params: Parameters): number =>
  valueOf(params, 'rsi') + valueOf(params, 'stochastic') + valueOf(params, 'k') - 2;

const stochrsi: IndicatorEntry = {
  id: 'stochrsi',
  title: 'Stochastic RSI',
  kind: KIND_STOCHRSI,
  isPriceLevel: false,
  parameters: [
    period('rsi', 'RSI period', preset.STOCHRSI_RSI),
    period('stochastic', 'Range period', preset.STOCHRSI_STOCH),
    period('k', '%K smoothing', preset.STOCHRSI_K),
    period('d', '%D smoothing', preset.STOCHRSI_D),
  ],
  outputs: [
    output('k', '0..100', kWarmup),
    output('d', '0..100', (params) => kWarmup(params) + valueOf(params, 'd') - 1),
  ],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'Where the RSI stands in its own recent range: a faster and more nervous oscillator than the RSI itself.',
  formula:
    'place = 100 * (RSI - lowest RSI) / (highest RSI - lowest RSI) over `stochastic` candles; %K = SMA of it over `k`; %D = SMA of %K over `d`.',
  neutral: 'The place is 50 while the RSI moves by no more than 1e-6 points over the range: less is rounding.',
  example: 'RSI 40, 60, 50 with a range of 3 and no smoothing: (50 - 40) / (60 - 40) = 50 at the third value.',
  source:
    'T. Chande and S. Kroll, The New Technical Trader (1994); 14, 14, 3, 3 as on TradingView (TA-Lib: STOCH of RSI).',
};

export const oscillators: readonly IndicatorEntry[] = [rsi, cci, stochrsi];
