import {
  INDICATOR_STATE_LENGTH,
  KIND_ADX,
  KIND_ATR,
  KIND_BOLL,
  KIND_CCI,
  KIND_DONCHIAN,
  KIND_EMA,
  KIND_FIB,
  KIND_ICHIMOKU,
  KIND_MACD,
  KIND_MFI,
  KIND_OBV,
  KIND_PIVOT,
  KIND_RSI,
  KIND_SMA,
  KIND_STOCHRSI,
  KIND_SUPERTREND,
  KIND_VWAP,
  PERIOD_MAX,
} from '../../abi/indicatorKinds';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_UNKNOWN_KIND } from '../../abi/status';
import { closeOf, highOf, lowOf, timeOf, volumeOf } from '../columns';
import { addressOf, at, put } from '../series';
import { adx } from './adx';
import { atr } from './atr';
import { boll } from './boll';
import { cci } from './cci';
import { donchian } from './donchian';
import { ema } from './ema';
import { fib } from './fib';
import { ichimoku } from './ichimoku';
import { macd } from './macd';
import { mfi } from './mfi';
import { obv } from './obv';
import { pivot } from './pivot';
import { rsi } from './rsi';
import { sma } from './sma';
import { stochrsi } from './stochrsi';
import { supertrend } from './supertrend';
import { rollingVwap, sessionVwap } from './vwap';

const freshState = memory.data(INDICATOR_STATE_LENGTH << 3, 16);

/** Any indicator by its kind. Signature, layout and statuses: abi/indicatorExports.ts. */
export function indicator(
  kind: i32,
  columns: usize,
  length: i32,
  params: usize,
  out: usize,
  stride: i32,
  state: usize,
): i32 {
  let stored = state;
  if (stored === 0) {
    stored = freshState;
    memory.fill(stored, 0, INDICATOR_STATE_LENGTH << 3);
  }
  const from = <i32>at(stored, 0);
  const status = run(kind, columns, length, params, out, stride, from, addressOf(stored, 1));
  if (status === STATUS_OK) put(stored, 0, <f64>length);
  return status;
}

function run(
  kind: i32,
  columns: usize,
  length: i32,
  params: usize,
  out: usize,
  stride: i32,
  from: i32,
  state: usize,
): i32 {
  const isWithoutPeriod = kind === KIND_OBV || kind === KIND_PIVOT || (kind === KIND_VWAP && at(params, 0) === 0);
  if (isWithoutPeriod) return runWithoutPeriod(kind, columns, length, out, stride, state);
  if (!isPeriod(params, 0)) return kind < KIND_SMA || kind > KIND_FIB ? STATUS_UNKNOWN_KIND : STATUS_BAD_PARAMETER;
  const status = runOnCloses(kind, columns, length, params, out, stride, from, state);
  return status === STATUS_UNKNOWN_KIND ? runOnRanges(kind, columns, length, params, out, stride, from, state) : status;
}

function runWithoutPeriod(kind: i32, columns: usize, length: i32, out: usize, stride: i32, state: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  if (kind === KIND_OBV) obv(close, volumeOf(columns), length, out, state);
  else if (kind === KIND_PIVOT) pivot(timeOf(columns), high, low, close, length, out, stride, state);
  else sessionVwap(timeOf(columns), high, low, close, volumeOf(columns), length, out, state);
  return STATUS_OK;
}

function runOnCloses(
  kind: i32,
  columns: usize,
  length: i32,
  params: usize,
  out: usize,
  stride: i32,
  from: i32,
  state: usize,
): i32 {
  const close = closeOf(columns);
  const period = <i32>at(params, 0);
  const second = addressOf(out, stride);
  const third = addressOf(out, 2 * stride);
  switch (kind) {
    case KIND_SMA:
      return sma(close, length, period, out, from);
    case KIND_EMA:
      ema(close, length, period, out, state);
      return STATUS_OK;
    case KIND_RSI:
      rsi(close, length, period, out, state);
      return STATUS_OK;
    case KIND_MACD: {
      if (!arePeriods(params, 2) || at(params, 0) >= at(params, 1)) return STATUS_BAD_PARAMETER;
      macd(close, length, period, <i32>at(params, 1), <i32>at(params, 2), out, second, third, state);
      return STATUS_OK;
    }
    case KIND_BOLL: {
      if (!isMultiple(params, 1)) return STATUS_BAD_PARAMETER;
      return boll(close, length, period, at(params, 1), out, second, third, from);
    }
    case KIND_STOCHRSI: {
      if (!arePeriods(params, 3)) return STATUS_BAD_PARAMETER;
      const stoch = <i32>at(params, 1);
      return stochrsi(close, length, period, stoch, <i32>at(params, 2), <i32>at(params, 3), out, second, state, from);
    }
    default:
      return STATUS_UNKNOWN_KIND;
  }
}

function runOnRanges(
  kind: i32,
  columns: usize,
  length: i32,
  params: usize,
  out: usize,
  stride: i32,
  from: i32,
  state: usize,
): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const volume = volumeOf(columns);
  const period = <i32>at(params, 0);
  const second = addressOf(out, stride);
  const third = addressOf(out, 2 * stride);
  switch (kind) {
    case KIND_ATR:
      atr(high, low, close, length, period, out, state);
      return STATUS_OK;
    case KIND_ADX:
      adx(high, low, close, length, period, out, second, third, state);
      return STATUS_OK;
    case KIND_SUPERTREND: {
      if (!isMultiple(params, 1)) return STATUS_BAD_PARAMETER;
      return supertrend(high, low, close, length, period, at(params, 1), out, second, state);
    }
    case KIND_VWAP:
      return rollingVwap(high, low, close, volume, length, period, out, from);
    case KIND_MFI:
      return mfi(high, low, close, volume, length, period, out, from);
    case KIND_CCI:
      return cci(high, low, close, length, period, out, from);
    case KIND_DONCHIAN:
      return donchian(high, low, length, period, out, second, from);
    case KIND_ICHIMOKU: {
      if (!arePeriods(params, 3)) return STATUS_BAD_PARAMETER;
      const kijun = <i32>at(params, 1);
      const span = <i32>at(params, 2);
      const fourth = addressOf(out, 3 * stride);
      return ichimoku(high, low, length, period, kijun, span, <i32>at(params, 3), out, second, third, fourth, from);
    }
    case KIND_FIB:
      return fib(high, low, length, period, out, stride, state);
    default:
      return STATUS_UNKNOWN_KIND;
  }
}

/** Parameters 1 to `last` are periods. */
function arePeriods(params: usize, last: i32): bool {
  for (let index = 1; index <= last; index++) if (!isPeriod(params, index)) return false;
  return true;
}

/** A whole number of candles within the registry's bounds. */
function isPeriod(params: usize, index: i32): bool {
  const value = at(params, index);
  return value >= 1 && value <= <f64>PERIOD_MAX && value === floor(value);
}

/** A width in deviations or ranges. */
function isMultiple(params: usize, index: i32): bool {
  const value = at(params, index);
  return value > 0 && value <= 100;
}
