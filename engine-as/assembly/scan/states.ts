import * as preset from '../../abi/defaults';
import { STATES_SIZE } from '../../abi/scan';
import { closeOf, highOf, lowOf, volumeOf } from '../columns';
import { ADX_STATE, adx } from '../indicators/adx';
import { MACD_STATE, macd } from '../indicators/macd';
import { OBV_STATE, obv } from '../indicators/obv';
import { RSI_STATE, rsi } from '../indicators/rsi';
import { STOCHRSI_STATE } from '../indicators/stochrsi';
import { SUPERTREND_STATE, supertrend } from '../indicators/supertrend';
import { addressOf } from '../series';

// The streaming states of the indicators that remember everything, one block of STATES_SIZE a series: an indicator goes on from its state
// as if it had walked the candles before by itself.

const MACD_AT = RSI_STATE;
const ADX_AT = MACD_AT + MACD_STATE;
const SUPERTREND_AT = ADX_AT + ADX_STATE;
const OBV_AT = SUPERTREND_AT + SUPERTREND_STATE;
const STOCHRSI_AT = OBV_AT + OBV_STATE;
const FIB_AT = STOCHRSI_AT + STOCHRSI_STATE;
/** Candles that an indicator needs until it carries its state: one more than its seed, the signal's for MACD. */
const RSI_SEED = preset.RSI_PERIOD + 1;
const MACD_SEED = preset.MACD_SLOW + preset.MACD_SIGNAL;
const ADX_SEED = 2 * preset.ADX_PERIOD + 1;
const SUPERTREND_SEED = preset.SUPERTREND_PERIOD + 2;
const OBV_SEED = 1;
/** The longest of them. */
export const SEED_MAX = MACD_SEED;

export function rsiOf(states: usize): usize {
  return states;
}

export function macdOf(states: usize): usize {
  return addressOf(states, MACD_AT);
}

export function adxOf(states: usize): usize {
  return addressOf(states, ADX_AT);
}

export function supertrendOf(states: usize): usize {
  return addressOf(states, SUPERTREND_AT);
}

export function obvOf(states: usize): usize {
  return addressOf(states, OBV_AT);
}

export function stochrsiOf(states: usize): usize {
  return addressOf(states, STOCHRSI_AT);
}

export function fibOf(states: usize): usize {
  return addressOf(states, FIB_AT);
}

export function clearStates(states: usize): void {
  memory.fill(states, 0, STATES_SIZE << 3);
}

/** The states as they begin, by the indicators themselves. `planes` is scratch, f64[3 * SEED_MAX]. */
export function seedStates(columns: usize, states: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const b = addressOf(planes, SEED_MAX);
  const c = addressOf(planes, 2 * SEED_MAX);
  clearStates(states);
  rsi(close, RSI_SEED, preset.RSI_PERIOD, planes, rsiOf(states));
  macd(close, MACD_SEED, preset.MACD_FAST, preset.MACD_SLOW, preset.MACD_SIGNAL, planes, b, c, macdOf(states));
  adx(high, low, close, ADX_SEED, preset.ADX_PERIOD, planes, b, c, adxOf(states));
  obv(close, volumeOf(columns), OBV_SEED, planes, obvOf(states));
  const period = preset.SUPERTREND_PERIOD;
  const multiple = preset.SUPERTREND_MULTIPLE;
  return supertrend(high, low, close, SUPERTREND_SEED, period, multiple, planes, b, supertrendOf(states));
}
