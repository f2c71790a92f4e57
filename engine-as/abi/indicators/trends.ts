import * as preset from '../defaults.ts';
import { KIND_ADX, KIND_ATR, KIND_SUPERTREND } from '../indicatorKinds.ts';
import type { IndicatorEntry } from '../registryTypes.ts';
import { multiple, onePeriod, output, period, valueOf } from './parameters.ts';

const atr: IndicatorEntry = {
  id: 'atr',
  title: 'Average true range',
  kind: KIND_ATR,
  isPriceLevel: false,
  parameters: [period('period', 'Period', preset.ATR_PERIOD)],
  outputs: [output('atr', 'quote', onePeriod)],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'Typical size of a candle including the gap to the one before: the yardstick for stops and targets.',
  formula:
    'range[i] = max(high, previous close) - min(low, previous close), from candle 1 on; ATR[period] = mean of the first `period` ranges; then ATR = ATR * (1 - 1 / period) + range / period (Wilder).',
  neutral: '0 when nothing moves.',
  example: 'Ranges 2, 4, 6 with period 2: 3 at candle 2, then 3 * 1/2 + 6 * 1/2 = 4.5.',
  source: 'Wilder (1978), section III; TA-Lib ATR. TradingView counts candle 0 too, which fades out.',
};

const adx: IndicatorEntry = {
  id: 'adx',
  title: 'Average directional index',
  kind: KIND_ADX,
  isPriceLevel: false,
  parameters: [period('period', 'Period', preset.ADX_PERIOD)],
  outputs: [
    output('adx', '0..100', (params) => 2 * valueOf(params, 'period') - 1),
    output('plusDi', '0..100', onePeriod),
    output('minusDi', '0..100', onePeriod),
  ],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'Strength of a trend in either direction (ADX); +DI against -DI gives the direction.',
  formula:
    '+DM = rise of the high when it exceeds the fall of the low and is positive, else 0; -DM mirrored; sums of candles 1..period-1, then S = S - S / period + new, likewise for the true range; DI = 100 * DM / range; DX = 100 * |+DM - -DM| / (+DM + -DM); ADX = mean of the first `period` DX, then Wilder.',
  neutral: 'All three are 0 when nothing moves.',
  example:
    'Period 1, highs 2, 4, 5, lows 1, 2, 4, closes 1.5, 3, 4.5: +DM is 2 then 1, the ranges are 2.5 then 2, so +DI is 80 then 50, -DI 0 and DX 100: ADX 100 from candle 1 on.',
  source: 'Wilder (1978), section IV; TA-Lib ADX, PLUS_DI, MINUS_DI.',
};

const supertrend: IndicatorEntry = {
  id: 'supertrend',
  title: 'Supertrend',
  kind: KIND_SUPERTREND,
  isPriceLevel: true,
  parameters: [
    period('period', 'ATR period', preset.SUPERTREND_PERIOD),
    multiple('multiple', 'Distance in ATRs', preset.SUPERTREND_MULTIPLE),
  ],
  outputs: [output('line', 'quote', onePeriod), output('direction', '-1 or 1', onePeriod)],
  memory: 'recursive',
  isWarmupDataDependent: false,
  definition: 'A stop line that follows the price at some ATRs and changes side when a close crosses it.',
  formula:
    'bands = (high + low) / 2 +- multiple * ATR(period); the upper band only falls, until the previous close is above it, and the lower only rises, until the previous close is below it; direction turns to -1 when the close is below the lower band and to 1 when it is above the upper; line = lower band while 1, upper while -1. The first direction is 1 when the close is not below the middle of its candle.',
  neutral: 'In a market that does not move the line is the price and the direction stays.',
  example:
    'Period 1, multiple 1, candles (high, low, close) 2, 1, 1.5; 4, 2, 3.5; 3, 1, 1.5: ATR 2.5 at candle 1 puts the bands at 5.5 and 0.5, direction 1, line 0.5; at candle 2 the ATR is 2.5, the lower band 2 - 2.5 does not rise, so the line stays 0.5.',
  source: 'O. Seban; definition as on TradingView with the ATR of this registry.',
};

export const trends: readonly IndicatorEntry[] = [atr, adx, supertrend];
