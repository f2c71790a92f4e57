import type { Columns } from '../candles.ts';
import { bollReference, emaReference, macdReference, smaReference } from './averages.ts';
import { donchianReference, fibReference, ichimokuReference, pivotReference } from './levels.ts';
import { cciReference, mfiReference, rsiReference, stochrsiReference } from './oscillators.ts';
import { adxReference, atrReference, supertrendReference } from './trends.ts';
import { obvReference, vwapReference } from './volumes.ts';

/** The slow twin of every registry id that is not an alias: (candles, parameters in kernel order) to outputs by name. */
export const references: Record<string, (candles: Columns, params: number[]) => Record<string, number[]>> = {
  sma: smaReference,
  ema: emaReference,
  macd: macdReference,
  boll: bollReference,
  rsi: rsiReference,
  cci: cciReference,
  stochrsi: stochrsiReference,
  mfi: mfiReference,
  atr: atrReference,
  adx: adxReference,
  supertrend: supertrendReference,
  vwap: vwapReference,
  obv: obvReference,
  donchian: donchianReference,
  ichimoku: ichimokuReference,
  pivot: pivotReference,
  fib: fibReference,
};
