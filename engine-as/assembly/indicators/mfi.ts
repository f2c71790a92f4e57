import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { fifty, hundred, three } from '../constants';
import { at2, highs, lows, put2 } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { typicalAt, typicalAt2 } from '../rolling/typical';
import { addressOf, at, fillUndefined, put } from '../series';

/**
 * Money Flow Index: share of the money (typical price x volume) that moved with a rising typical price, over `period` changes.
 *
 * Rising and falling money share the two lanes; their window sums are made as in rolling/windowSum.ts, from the tail of one
 * block and the head of the next, so a window without falling money is exactly 100.
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
  if (from <= period) fillUndefined(out, 0, min(length, period));
  if (length <= period) return STATUS_OK;
  // Blocks are counted from candle 1: candle 0 has no change. Two candles a division; a block may have an odd one.
  const block = (max(from, period) - 1) / period;
  const begin = block * period + 1;
  const oldest = max(1, begin - period);
  const mark = arenaMark();
  const money = arenaReserve((<usize>(length - oldest + 1)) << 4);
  const tails = arenaReserve((<usize>(period + 2)) << 4);
  const sums = arenaReserve((<usize>(length - begin + 1)) << 4);
  if (money === 0 || tails === 0 || sums === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  // `money` is addressed by candle from here on: pair i is the flow of candle i.
  const flow = money - ((<usize>oldest) << 4);
  flows(high, low, close, volume, oldest, length, flow);
  memory.fill(tails, 0, (<usize>(period + 2)) << 4);
  for (let start = begin; start < length; start += period) {
    if (start > 1) sumTails(flow, start, period, tails);
    sumHeads(flow, start, min(start + period, length), tails, sums + ((<usize>(start - begin)) << 4));
  }
  shares(sums - ((<usize>begin) << 4), max(begin, period), length, out);
  arenaRelease(mark);
  return STATUS_OK;
}

/** (rising, falling) money of candles [from, to). */
function flows(high: usize, low: usize, close: usize, volume: usize, from: i32, to: i32, flow: usize): void {
  const thirds = three();
  let i = from;
  for (; i + 2 <= to; i += 2) {
    const price = typicalAt2(high, low, close, i, thirds);
    const earlier = typicalAt2(high, low, close, i - 1, thirds);
    const turnover = f64x2.mul(price, at2(volume, i));
    const rising = v128.and(f64x2.gt(price, earlier), turnover);
    const falling = v128.and(f64x2.lt(price, earlier), turnover);
    putPair(flow, i, lows(rising, falling));
    putPair(flow, i + 1, highs(rising, falling));
  }
  if (i === to) return;
  const before = typicalAt(high, low, close, i - 1);
  const price = typicalAt(high, low, close, i);
  const turnover = price * at(volume, i);
  const last = flow + ((<usize>i) << 4);
  put(last, 0, price > before ? turnover : 0);
  put(last, 1, price < before ? turnover : 0);
}

/** tails[t] = money of the last period - t candles before `start`, t = 1 .. period - 1. */
function sumTails(flow: usize, start: i32, period: i32, tails: usize): void {
  let sum = f64x2.splat(0);
  for (let t = period - 1; t >= 1; t--) {
    sum = f64x2.add(sum, pairAt(flow, start - period + t));
    putPair(tails, t, sum);
  }
}

function sumHeads(flow: usize, start: i32, end: i32, tails: usize, sums: usize): void {
  let sum = f64x2.splat(0);
  for (let i = start; i < end; i++) {
    sum = f64x2.add(sum, pairAt(flow, i));
    putPair(sums, i - start, f64x2.add(pairAt(tails, i - start + 1), sum));
  }
}

/** 100 * rising / (rising + falling) of candles [from, to). */
function shares(sums: usize, from: i32, to: i32, out: usize): void {
  const percent = hundred();
  const neutral = fifty();
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, share2(pairAt(sums, i), pairAt(sums, i + 1), percent, neutral));
  if (i < to) v128.store64_lane(addressOf(out, i), share2(pairAt(sums, i), pairAt(sums, i), percent, neutral), 0);
}

function share2(one: v128, two: v128, percent: v128, neutral: v128): v128 {
  const rising = lows(one, two);
  const total = f64x2.add(rising, highs(one, two));
  const share = f64x2.mul(percent, f64x2.div(rising, total));
  return v128.bitselect(share, neutral, f64x2.gt(total, f64x2.splat(0)));
}

function pairAt(pairs: usize, i: i32): v128 {
  return v128.load(pairs + ((<usize>i) << 4));
}

function putPair(pairs: usize, i: i32, value: v128): void {
  v128.store(pairs + ((<usize>i) << 4), value);
}
