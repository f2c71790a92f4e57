import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status';
import { VOTE_COUNT, WEIGHT_TENTHS_MAX } from '../../abi/votes';
import { fillUndefined, put } from '../series';

/** Largest |numerator|: every vote at the largest weight. */
const REACH = VOTE_COUNT * WEIGHT_TENTHS_MAX;
/** quotients[REACH + n] = n / denominator: a division per possible numerator instead of one per candle. */
const quotients = memory.data((2 * REACH + 1) << 3, 16);
const sums = memory.data(32, 16);

/** Weighted mean of the votes. Signature and layout: abi/voteExports.ts. */
export function score(
  votes: usize,
  stride: i32,
  length: i32,
  first: usize,
  weights: usize,
  score: usize,
  live: usize,
): i32 {
  let total = 0;
  let begin = 0;
  for (let k = 0; k < VOTE_COUNT; k++) {
    const weight = weightOf(weights, k);
    if (weight < 0 || weight > WEIGHT_TENTHS_MAX) return STATUS_BAD_PARAMETER;
    total += weight;
    if (weight > 0) begin = max(begin, firstOf(first, k));
  }
  if (length < 0 || stride < length) return STATUS_BAD_PARAMETER;
  if (live !== 0) countLive(length, first, weights, live);
  for (let n = -REACH; n <= REACH; n++) put(quotients, REACH + n, total > 0 ? <f64>n / <f64>total : 0);

  begin = min(begin, length);
  fillUndefined(score, 0, begin);
  let i = begin;
  for (; i + 16 <= length; i += 16) sixteen(votes + <usize>i, stride, weights, score + ((<usize>i) << 3));
  for (; i < length; i++) put(score, i, quotient(numerator(votes + <usize>i, stride, weights)));
  return STATUS_OK;
}

function weightOf(weights: usize, k: i32): i32 {
  return load<i32>(weights + ((<usize>k) << 2));
}

function firstOf(first: usize, k: i32): i32 {
  return load<i32>(first + ((<usize>k) << 2));
}

function quotient(numerator: i32): f64 {
  return load<f64>(quotients + ((<usize>(REACH + numerator)) << 3));
}

/** Sum of weight x vote of one candle. */
function numerator(column: usize, stride: i32, weights: usize): i32 {
  let sum = 0;
  for (let k = 0; k < VOTE_COUNT; k++) {
    sum += weightOf(weights, k) * <i32>load<i8>(column + <usize>k * <usize>stride);
  }
  return sum;
}

/** Sixteen candles: the sums fit i16, because REACH does. */
function sixteen(column: usize, stride: i32, weights: usize, score: usize): void {
  let low = i16x8.splat(0);
  let high = i16x8.splat(0);
  for (let k = 0; k < VOTE_COUNT; k++) {
    const weight = i16x8.splat(<i16>weightOf(weights, k));
    const vote = v128.load(column + <usize>k * <usize>stride);
    low = i16x8.add(low, i16x8.mul(weight, i16x8.extend_low_i8x16_s(vote)));
    high = i16x8.add(high, i16x8.mul(weight, i16x8.extend_high_i8x16_s(vote)));
  }
  v128.store(sums, low);
  v128.store(sums, high, 16);
  for (let j = 0; j < 16; j++) put(score, j, quotient(<i32>load<i16>(sums + ((<usize>j) << 1))));
}

/** live[i] = number of weighted votes that are defined at candle i. */
function countLive(length: i32, first: usize, weights: usize, live: usize): void {
  memory.fill(live, 0, <usize>length);
  for (let k = 0; k < VOTE_COUNT; k++) {
    if (weightOf(weights, k) === 0) continue;
    for (let i = firstOf(first, k); i < length; i++) {
      const cell = live + <usize>i;
      store<u8>(cell, load<u8>(cell) + 1);
    }
  }
}
