import * as preset from '../defaults.ts';
import { KIND_MFI, KIND_OBV, KIND_VWAP, PERIOD_MAX } from '../indicatorKinds.ts';
import type { IndicatorEntry } from '../registryTypes.ts';
import { none, onePeriod, output, period, valueOf } from './parameters.ts';

const vwap: IndicatorEntry = {
  id: 'vwap',
  title: 'Volume-weighted average price',
  kind: KIND_VWAP,
  isPriceLevel: true,
  parameters: [
    {
      name: 'period',
      title: 'Period (0: since UTC midnight)',
      default: preset.VWAP_PERIOD,
      min: 0,
      max: PERIOD_MAX,
      isInteger: true,
    },
  ],
  outputs: [output('vwap', 'quote', (params) => Math.max(0, valueOf(params, 'period') - 1))],
  memory: 'session',
  isWarmupDataDependent: false,
  definition:
    'Average price that was really paid, per unit traded, since UTC midnight or over the last `period` candles.',
  formula:
    'sum of (high + low + close) / 3 * volume over sum of volume; with period 0 from the first candle that opens on the UTC day of this one, else over the last `period` candles.',
  neutral:
    "The candle's typical price while nothing has traded. On candles of a day or longer each session is one candle.",
  example: 'Typical prices 10 and 13 with volumes 2 and 1 on one day: 10, then (20 + 13) / 3 = 11.',
  source: 'S. Berkowitz, D. Logue, E. Noser, The Total Cost of Transactions on the NYSE (1988).',
};

const mfi: IndicatorEntry = {
  id: 'mfi',
  title: 'Money flow index',
  kind: KIND_MFI,
  isPriceLevel: false,
  parameters: [period('period', 'Period', preset.MFI_PERIOD)],
  outputs: [output('mfi', '0..100', onePeriod)],
  memory: 'window',
  isWarmupDataDependent: false,
  definition: 'Share of recent turnover that came with a rising price: an RSI weighted by money.',
  formula:
    'typical = (high + low + close) / 3; money = typical * volume, counted as positive when the typical price rose, negative when it fell; MFI = 100 * positive / (positive + negative) over the last `period` changes.',
  neutral: '50 when no money moved in the window (TA-Lib gives 0, which would read as oversold).',
  example: 'Typical prices 1, 2, 1 with volume 1 and period 2: positive 2, negative 1, so 66.67.',
  source: 'G. Quong and A. Soudack, Volume-Weighted RSI: Money Flow, Stocks & Commodities (March 1989); TA-Lib MFI.',
};

const obv: IndicatorEntry = {
  id: 'obv',
  title: 'On-balance volume',
  kind: KIND_OBV,
  isPriceLevel: false,
  parameters: [],
  outputs: [output('obv', 'base', none)],
  memory: 'cumulative',
  isWarmupDataDependent: false,
  definition:
    'Running total of volume, added on a higher close and subtracted on a lower one. Only its changes mean something.',
  formula:
    'OBV[0] = volume[0]; then OBV = OBV + volume when the close rose, - volume when it fell, unchanged otherwise.',
  neutral: 'Unchanged while the close does not move.',
  example: 'Closes 1, 2, 2, 1 with volumes 5, 3, 4, 2: 5, 8, 8, 6.',
  source: 'J. Granville, New Key to Stock Market Profits (1963); TA-Lib OBV.',
};

export const volumes: readonly IndicatorEntry[] = [vwap, mfi, obv];
