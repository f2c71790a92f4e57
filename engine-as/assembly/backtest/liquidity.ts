import { LIQUIDITY_BARS } from '../../abi/backtest';
import { arenaReserve } from '../memory';
import { Frame } from '../records.gen';
import { at, put } from '../series';

/** Mean square of the range of a Brownian path over its variance: 4 ln 2 (Parkinson 1980). */
const RANGE_SQUARE: f64 = 2.772588722239781;

/**
 * Writes each bar's slippage coefficient and largest entry when the rules have a liquidity model; docs/simulator.md, section 12. Turnover
 * and volatility come from the candles that closed before the bar. The same share of the entry candle's turnover also limits an entry: no
 * volume, no fill.
 * @returns false without memory
 */
export function liquidityByBar(frame: Frame): bool {
  const rules = frame.rules;
  const coefficient = rules.impactCoefficient;
  const share = rules.turnoverShareMax;
  frame.impact = 0;
  frame.entryMax = 0;
  if (!(coefficient > 0) && !(share > 0)) return true;
  const bytes = (<usize>frame.count) << 3;
  const impact = arenaReserve(bytes);
  const entryMax = arenaReserve(bytes);
  if (impact === 0 || entryMax === 0) return false;
  frame.impact = impact;
  frame.entryMax = entryMax;
  for (let i = 0; i < frame.count; i++) {
    const usual = meanTurnover(frame, i);
    put(impact, i, usual > 0 ? (coefficient * volatility(frame, i)) / Math.sqrt(usual) : 0);
    put(entryMax, i, share > 0 ? share * Math.min(usual, turnoverOf(frame, i)) : Infinity);
  }
  return true;
}

/** Volume of candle `i` at its close, quote currency. */
export function turnoverOf(frame: Frame, i: i32): f64 {
  return at(frame.volume, i) * at(frame.close, i);
}

function meanTurnover(frame: Frame, i: i32): f64 {
  const from = max(0, i - LIQUIDITY_BARS);
  let sum: f64 = 0;
  for (let k = from; k < i; k++) sum += turnoverOf(frame, k);
  return i > from ? sum / <f64>(i - from) : 0;
}

/** Of the return of one candle, by the ranges of the last ones. */
function volatility(frame: Frame, i: i32): f64 {
  const from = max(0, i - LIQUIDITY_BARS);
  let sum: f64 = 0;
  for (let k = from; k < i; k++) {
    const range = (at(frame.high, k) - at(frame.low, k)) / at(frame.close, k);
    sum += range * range;
  }
  return i > from ? Math.sqrt(sum / <f64>(i - from) / RANGE_SQUARE) : 0;
}
