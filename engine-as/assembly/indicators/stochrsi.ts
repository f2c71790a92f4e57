import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { fifty, hundred, millionth } from '../constants';
import { at2, both, first, put2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { rollingMax, rollingMin } from '../rolling/extreme';
import { windowSum } from '../rolling/windowSum';
import { addressOf, at, fillUndefined, put } from '../series';
import { RSI_STATE, rsi } from './rsi';

/** The RSI's state, delayed by the look-back of the windows over it. */
export const STOCHRSI_STATE = RSI_STATE;

/**
 * Stochastic RSI: position of the RSI in its own range, smoothed twice (TradingView's 14, 14, 3, 3).
 * @param rsiPeriod candles, with stochPeriod, kPeriod, dPeriod 1..PERIOD_MAX
 * @param k     f64[length], 0..100; NaN below rsiPeriod + stochPeriod + kPeriod - 2
 * @param d     f64[length], 0..100; NaN below that plus dPeriod - 1
 * @param state f64[STOCHRSI_STATE], cleared before the first call; `k` of earlier calls must still be in place
 * @param from  first candle wanted; where the RSI does not move by more than 1e-6 points its position is 50
 * Source: T. Chande and S. Kroll, The New Technical Trader (1994).
 */
export function stochrsi(
  x: usize,
  length: i32,
  rsiPeriod: i32,
  stochPeriod: i32,
  kPeriod: i32,
  dPeriod: i32,
  k: usize,
  d: usize,
  state: usize,
  from: i32,
): i32 {
  const warmup = rsiPeriod + stochPeriod + kPeriod - 2;
  fillUndefined(k, min(from, warmup), min(length, warmup));
  fillUndefined(d, min(from, warmup + dPeriod - 1), min(length, warmup + dPeriod - 1));
  if (length <= warmup) return STATUS_OK;
  const mark = arenaMark();
  const strength = arenaReserve((<usize>length) << 3);
  const highest = arenaReserve((<usize>length) << 3);
  const lowest = arenaReserve((<usize>length) << 3);
  if (strength === 0 || highest === 0 || lowest === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  strengths(x, length, rsiPeriod, 2 * kPeriod + stochPeriod, strength, state);
  const status = positions(strength, highest, lowest, length, rsiPeriod, stochPeriod, kPeriod, k, max(from, warmup));
  arenaRelease(mark);
  if (status !== STATUS_OK) return status;
  return windowSum(addressOf(k, warmup), length - warmup, dPeriod, true, addressOf(d, warmup), max(0, from - warmup));
}

/** RSI of the new candles and of `lookBack` ones before them; `state` stays that far behind the end. */
function strengths(x: usize, length: i32, period: i32, lookBack: i32, out: usize, state: usize): void {
  const last = memory.data(24, 8);
  if (length - lookBack > <i32>at(state, 0)) rsi(x, length - lookBack, period, out, state);
  memory.copy(last, state, 24);
  rsi(x, length, period, out, last);
}

/** The RSI's place between its extremes, then the mean of kPeriod of them, from candle `from` on. */
function positions(
  strength: usize,
  highest: usize,
  lowest: usize,
  length: i32,
  rsiPeriod: i32,
  stochPeriod: i32,
  kPeriod: i32,
  k: usize,
  from: i32,
): i32 {
  const begin = rsiPeriod + stochPeriod - 1;
  const wanted = max(begin, from - 2 * kPeriod);
  const source = addressOf(strength, rsiPeriod);
  const count = length - rsiPeriod;
  let status = rollingMax(source, count, stochPeriod, addressOf(highest, rsiPeriod), wanted - rsiPeriod);
  if (status === STATUS_OK) {
    status = rollingMin(source, count, stochPeriod, addressOf(lowest, rsiPeriod), wanted - rsiPeriod);
  }
  if (status !== STATUS_OK) return status;
  places(strength, highest, lowest, wanted, length);
  return windowSum(addressOf(highest, begin), length - begin, kPeriod, true, addressOf(k, begin), from - begin);
}

/** 100 * (strength - lowest) / (highest - lowest) of candles [from, to), written over `highest`. */
function places(strength: usize, highest: usize, lowest: usize, from: i32, to: i32): void {
  const percent = hundred();
  const neutral = fifty();
  const still = millionth();
  let i = from;
  for (; i + 2 <= to; i += 2) {
    put2(highest, i, place2(at2(strength, i), at2(highest, i), at2(lowest, i), percent, neutral, still));
  }
  if (i === to) return;
  const place = place2(both(strength, i), both(highest, i), both(lowest, i), percent, neutral, still);
  put(highest, i, first(place));
}

/** `still`: a narrower range is rounding, not movement. */
function place2(strength: v128, highest: v128, lowest: v128, percent: v128, neutral: v128, still: v128): v128 {
  const range = f64x2.sub(highest, lowest);
  const place = f64x2.mul(percent, f64x2.div(f64x2.sub(strength, lowest), range));
  return v128.bitselect(place, neutral, f64x2.gt(range, still));
}
