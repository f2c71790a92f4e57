import { VOTE_COUNT } from '../../abi/votes';
import { weightOfVote } from './timeframe';

/** How many independent votes the weighted ones amount to. Definition: abi/ensembleExports.ts. */
export function effectiveVotes(votes: usize, stride: i32, from: i32, to: i32, weights: usize): f64 {
  let total: f64 = 0;
  let shared: f64 = 0;
  for (let i = 0; i < VOTE_COUNT; i++) {
    const own = overlap(votes, stride, i, i, from, to);
    const square = weightSquare(weights, i);
    if (own === 0 || square === 0) continue;
    total += square;
    shared += square * square;
    for (let j = 0; j < i; j++) {
      const other = overlap(votes, stride, j, j, from, to);
      const both = overlap(votes, stride, i, j, from, to);
      if (other > 0) shared += (2.0 * square * weightSquare(weights, j) * both * both) / (own * other);
    }
  }
  return shared > 0 ? (total * total) / shared : 0;
}

/** Sum of v_i * v_j over the candles: an exact integer. */
function overlap(votes: usize, stride: i32, i: i32, j: i32, from: i32, to: i32): f64 {
  const a = votes + <usize>i * <usize>stride;
  const b = votes + <usize>j * <usize>stride;
  let sum = 0;
  for (let candle = from; candle < to; candle++) {
    sum += <i32>load<i8>(a + <usize>candle) * <i32>load<i8>(b + <usize>candle);
  }
  return <f64>sum;
}

function weightSquare(weights: usize, vote: i32): f64 {
  const weight = <f64>weightOfVote(weights, vote);
  return weight * weight;
}
