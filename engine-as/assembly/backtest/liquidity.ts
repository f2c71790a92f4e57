import { LIQUIDITY_BARS } from '../../abi/backtest';
import { arenaReserve } from '../memory';
import { Frame } from '../records.gen';
import { addressOf, at, put } from '../series';

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
  writeTurnovers(frame);
  // Backwards: both columns hold what the windows of earlier candles read until it is overwritten.
  let i = frame.count;
  for (; i >= LIQUIDITY_BARS + 4; i -= 4) writeFour(impact, entryMax, i - 4, coefficient, share);
  for (i--; i >= 0; i--) writeOne(impact, entryMax, i, coefficient, share);
  return true;
}

/**
 * Turnover of each candle into `frame.entryMax`, and the square of its range as a fraction of the close into `frame.impact`. After an odd
 * number of candles one value more is written: columns are whole vectors.
 */
function writeTurnovers(frame: Frame): void {
  const high = frame.high;
  const low = frame.low;
  const close = frame.close;
  const volume = frame.volume;
  for (let i = 0; i < frame.count; i += 2) {
    const closes = v128.load(addressOf(close, i));
    const ranges = f64x2.sub(v128.load(addressOf(high, i)), v128.load(addressOf(low, i)));
    const fractions = f64x2.div(ranges, closes);
    v128.store(addressOf(frame.impact, i), f64x2.mul(fractions, fractions));
    v128.store(addressOf(frame.entryMax, i), f64x2.mul(v128.load(addressOf(volume, i)), closes));
  }
}

/**
 * Candles `i` to `i + 3`, `i` at least LIQUIDITY_BARS, two in the lanes of a vector: each lane adds up its own window in the order of
 * `writeOne`, so that the sums are the same to the bit.
 */
function writeFour(squares: usize, turnovers: usize, i: i32, coefficient: f64, share: f64): void {
  const zero = f64x2.splat(0);
  const end = (<usize>LIQUIDITY_BARS) << 3;
  const from = addressOf(turnovers, i - LIQUIDITY_BARS);
  const squaresFrom = addressOf(squares, i - LIQUIDITY_BARS);
  let turnover = f64x2.add(f64x2.add(zero, v128.load(from)), v128.load(from, 8));
  let square = f64x2.add(f64x2.add(zero, v128.load(squaresFrom)), v128.load(squaresFrom, 8));
  let nextTurnover = zero;
  let nextSquare = zero;
  for (let k: usize = 16; k < end; k += 8) {
    const added = v128.load(from + k);
    const addedSquare = v128.load(squaresFrom + k);
    turnover = f64x2.add(turnover, added);
    square = f64x2.add(square, addedSquare);
    nextTurnover = f64x2.add(nextTurnover, added);
    nextSquare = f64x2.add(nextSquare, addedSquare);
  }
  const last = addressOf(turnovers, i);
  const squaresLast = addressOf(squares, i);
  nextTurnover = f64x2.add(f64x2.add(nextTurnover, v128.load(last)), v128.load(last, 8));
  nextSquare = f64x2.add(f64x2.add(nextSquare, v128.load(squaresLast)), v128.load(squaresLast, 8));
  writePair(squares, turnovers, i + 2, nextTurnover, nextSquare, coefficient, share);
  writePair(squares, turnovers, i, turnover, square, coefficient, share);
}

/** Candles `i` and `i + 1` from the sums of their windows. */
function writePair(
  squares: usize,
  turnovers: usize,
  i: i32,
  turnover: v128,
  square: v128,
  coefficient: f64,
  share: f64,
): void {
  const bars = f64x2.splat(<f64>LIQUIDITY_BARS);
  const usual = f64x2.div(turnover, bars);
  const volatility = f64x2.sqrt(f64x2.div(f64x2.div(square, bars), f64x2.splat(RANGE_SQUARE)));
  const impact = f64x2.div(f64x2.mul(f64x2.splat(coefficient), volatility), f64x2.sqrt(usual));
  // Without turnover: 0.
  v128.store(addressOf(squares, i), v128.and(impact, f64x2.gt(usual, f64x2.splat(0))));
  const most = f64x2.mul(f64x2.splat(share), f64x2.min(usual, v128.load(addressOf(turnovers, i))));
  v128.store(addressOf(turnovers, i), share > 0 ? most : f64x2.splat(Infinity));
}

/** Candle `i` from the candles before it, LIQUIDITY_BARS at most. */
function writeOne(squares: usize, turnovers: usize, i: i32, coefficient: f64, share: f64): void {
  const from = max(0, i - LIQUIDITY_BARS);
  const bars = <f64>max(1, i - from);
  let turnover: f64 = 0;
  let square: f64 = 0;
  for (let k = from; k < i; k++) {
    turnover += at(turnovers, k);
    square += at(squares, k);
  }
  const usual = turnover / bars;
  const volatility = Math.sqrt(square / bars / RANGE_SQUARE);
  put(squares, i, usual > 0 ? (coefficient * volatility) / Math.sqrt(usual) : 0);
  put(turnovers, i, share > 0 ? share * Math.min(usual, at(turnovers, i)) : Infinity);
}

/** Volume of candle `i` at its close, quote currency. */
export function turnoverOf(frame: Frame, i: i32): f64 {
  return at(frame.volume, i) * at(frame.close, i);
}
