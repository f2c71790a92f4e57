import { VOTE_COUNT } from '../../abi/votes';
import { weightOfVote } from './timeframe';

/** How many independent votes the weighted ones amount to. Definition: abi/ensembleExports.ts. */
export function effectiveVotes(votes: usize, stride: i32, from: i32, to: i32, weights: usize): f64 {
  let total: f64 = 0;
  let shared: f64 = 0;
  for (let i = 0; i < VOTE_COUNT; i++) {
    const own = overlap(votes, stride, i, i, from, to);
    store<f64>(owns + ((<usize>i) << 3), own);
    const square = weightSquare(weights, i);
    if (own === 0 || square === 0) continue;
    total += square;
    shared += square * square;
    for (let j = 0; j < i; j++) {
      const other = load<f64>(owns + ((<usize>j) << 3));
      if (other === 0) continue;
      const both = overlap(votes, stride, i, j, from, to);
      if (both !== 0) shared += (2.0 * square * weightSquare(weights, j) * both * both) / (own * other);
    }
  }
  return shared > 0 ? (total * total) / shared : 0;
}

/** Overlap of each vote with itself, of the call under way. */
const owns = memory.data(VOTE_COUNT << 3, 8);

/** Sum of v_i * v_j over the candles: an exact integer, so sixteen at a time give the same. */
function overlap(votes: usize, stride: i32, i: i32, j: i32, from: i32, to: i32): f64 {
  const a = votes + <usize>i * <usize>stride;
  const b = votes + <usize>j * <usize>stride;
  let candle = from;
  let sums = i32x4.splat(0);
  for (; candle + 16 <= to; candle += 16) {
    const left = v128.load(a + <usize>candle);
    const right = v128.load(b + <usize>candle);
    const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(left), i16x8.extend_low_i8x16_s(right));
    const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(left), i16x8.extend_high_i8x16_s(right));
    sums = i32x4.add(sums, i32x4.add(low, high));
  }
  let sum =
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3);
  for (; candle < to; candle++) sum += <i32>load<i8>(a + <usize>candle) * <i32>load<i8>(b + <usize>candle);
  return <f64>sum;
}

function weightSquare(weights: usize, vote: i32): f64 {
  const weight = <f64>weightOfVote(weights, vote);
  return weight * weight;
}
