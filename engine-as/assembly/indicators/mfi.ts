import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, put2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typicalAt, typicalAt2 } from '../rolling/typical';
import { windowSum } from '../rolling/windowSum';
import { addressOf, at, fillUndefined, put } from '../series';

/**
 * Money Flow Index: share of the money (typical price x volume) that moved with a rising typical price, over `period` changes.
 * @param high   f64[length], with `low` and `close` in quote currency; `volume` f64[length], base units, >= 0
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], 0..100; NaN below `period`; 50 when no money moved in the window
 * @param from   first candle wanted
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function mfi(
  high: usize,
  low: usize,
  close: usize,
  volume: usize,
  length: i32,
  period: i32,
  out: usize,
  from: i32,
): i32 {
  fillUndefined(out, min(from, period), min(length, period));
  if (length <= period) return STATUS_OK;
  const mark = arenaMark();
  const rising = arenaReserve((<usize>length) << 3);
  const falling = arenaReserve((<usize>length) << 3);
  const risingSum = arenaReserve((<usize>length) << 3);
  const fallingSum = arenaReserve((<usize>length) << 3);
  if (rising === 0 || falling === 0 || risingSum === 0 || fallingSum === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  flows(high, low, close, volume, max(1, from - 2 * period), length, rising, falling);
  // Flow j belongs to candle j + 1: the first candle has no change.
  const wanted = max(0, from - 1);
  let status = windowSum(addressOf(rising, 1), length - 1, period, false, addressOf(risingSum, 1), wanted);
  if (status === STATUS_OK) {
    status = windowSum(addressOf(falling, 1), length - 1, period, false, addressOf(fallingSum, 1), wanted);
  }
  if (status === STATUS_OK) shares(risingSum, fallingSum, max(from, period), length, out);
  arenaRelease(mark);
  return status;
}

function flows(
  high: usize,
  low: usize,
  close: usize,
  volume: usize,
  from: i32,
  to: i32,
  rising: usize,
  falling: usize,
): void {
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const price = typicalAt2(high, low, close, i);
    const before = typicalAt2(high, low, close, i - 1);
    const money = f64x2.mul(price, at2(volume, i));
    put2(rising, i, v128.and(f64x2.gt(price, before), money));
    put2(falling, i, v128.and(f64x2.lt(price, before), money));
  }
  if (i < to) {
    const price = typicalAt(high, low, close, i);
    const before = typicalAt(high, low, close, i - 1);
    put(rising, i, price > before ? price * at(volume, i) : 0);
    put(falling, i, price < before ? price * at(volume, i) : 0);
  }
}

function shares(rising: usize, falling: usize, from: i32, to: i32, out: usize): void {
  const zero = f64x2.splat(0);
  const neutral = f64x2.splat(50);
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const up = at2(rising, i);
    const total = f64x2.add(up, at2(falling, i));
    const share = f64x2.mul(f64x2.splat(100), f64x2.div(up, total));
    put2(out, i, v128.bitselect(share, neutral, f64x2.gt(total, zero)));
  }
  if (i < to) {
    const total = at(rising, i) + at(falling, i);
    put(out, i, total > 0 ? 100.0 * (at(rising, i) / total) : 50.0);
  }
}
