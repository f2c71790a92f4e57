import * as kinds from '@sextant/engine-as/abi/indicatorKinds.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ema, sma } from './averages.ts';
import { donchian, ichimoku } from './extremes.ts';
import { cci, mfi, obv, rollingVwap, sessionVwap } from './flow.ts';
import { fib, pivot } from './levels.ts';
import { macd, rsi, stochRsi } from './momentum.ts';
import { atr, bollinger } from './ranges.ts';
import { adx, supertrend } from './trend.ts';

/** Scratch columns for a twin; owned by the caller, so that no twin pays for an allocation. */
export type Scratch = readonly [Float64Array, Float64Array, Float64Array];

/** `params` and `outputs` in the registry's order; every output as long as the candles. */
export type IndicatorTwin = (
  candles: Candles,
  params: readonly number[],
  outputs: readonly Float64Array[],
  scratch: Scratch,
) => void;

type P = readonly [number, number, number, number];
type O = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

const twin =
  (work: (candles: Candles, params: P, outputs: O, scratch: Scratch) => void): IndicatorTwin =>
  (candles, params, outputs, scratch) =>
    work(candles, params as P, outputs as unknown as O, scratch);

const twinByKind = new Map<number, IndicatorTwin>([
  [kinds.KIND_SMA, twin(({ close }, [period], [out]) => sma(close, period, out))],
  [kinds.KIND_EMA, twin(({ close }, [period], [out]) => ema(close, period, out))],
  [kinds.KIND_RSI, twin(({ close }, [period], [out]) => rsi(close, period, out))],
  [kinds.KIND_MACD, twin(({ close }, [fast, slow, signal], [a, b, c]) => macd(close, { fast, slow, signal }, a, b, c))],
  [kinds.KIND_BOLL, twin(({ close }, [period, width], [a, b, c]) => bollinger(close, period, width, a, b, c))],
  [kinds.KIND_ATR, twin((candles, [period], [out], [one]) => atr(candles, period, out, one))],
  [kinds.KIND_ADX, twin((candles, [period], [a, b, c]) => adx(candles, period, a, b, c))],
  [
    kinds.KIND_SUPERTREND,
    twin((candles, [period, multiple], [a, b], [one]) => supertrend(candles, { period, multiple }, a, b, one)),
  ],
  [
    kinds.KIND_VWAP,
    twin((candles, [period], [out], [one]) =>
      period === 0 ? sessionVwap(candles, out) : rollingVwap(candles, period, out, one),
    ),
  ],
  [kinds.KIND_MFI, twin((candles, [period], [out], [one, two]) => mfi(candles, period, out, [one, two]))],
  [kinds.KIND_OBV, twin((candles, _, [out]) => obv(candles, out))],
  [kinds.KIND_CCI, twin((candles, [period], [out], [one, two]) => cci(candles, period, out, [one, two]))],
  [kinds.KIND_DONCHIAN, twin((candles, [period], [a, b]) => donchian(candles, period, a, b))],
  [
    kinds.KIND_ICHIMOKU,
    twin((candles, [tenkan, kijun, span, displacement], outputs, [one]) =>
      ichimoku(candles, { tenkan, kijun, span, displacement }, outputs, one),
    ),
  ],
  [
    kinds.KIND_STOCHRSI,
    twin(({ close }, [rsi, stochastic, k, d], [a, b], scratch) =>
      stochRsi(close, { rsi, stochastic, k, d }, a, b, scratch),
    ),
  ],
  [kinds.KIND_PIVOT, (candles, _, outputs) => pivot(candles, outputs)],
  [kinds.KIND_FIB, (candles, [reach], outputs) => fib(candles, reach as number, outputs)],
]);

/** @throws Error for a kind without a twin: a new indicator has to be measured too */
export function indicatorTwin(kind: number): IndicatorTwin {
  const match = twinByKind.get(kind);
  if (match === undefined) throw new Error(`indicator kind ${kind} has no twin in bench/src/twins/indicators.ts`);
  return match;
}
