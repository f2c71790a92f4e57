import {
  TIMEFRAME_FIRST,
  TIMEFRAME_INDEX,
  TIMEFRAME_LENGTH,
  TIMEFRAME_STRIDE,
  TIMEFRAME_VOTES,
  TIMEFRAME_WEIGHT,
} from '../../abi/ensemble';

/** Address of row `t`. */
export function rowOf(timeframes: usize, t: i32): usize {
  return timeframes + <usize>(t * TIMEFRAME_LENGTH * 4);
}

export function weightOfRow(row: usize): i32 {
  return load<i32>(row + TIMEFRAME_WEIGHT * 4);
}

/** The last closed candle of this timeframe at a base candle, or -1. */
export function candleOf(row: usize, baseCandle: i32): i32 {
  const index = load<usize>(row + TIMEFRAME_INDEX * 4);
  return index === 0 ? baseCandle : load<i32>(index + ((<usize>baseCandle) << 2));
}

export function isDefined(row: usize, vote: i32, candle: i32): bool {
  return candle >= 0 && candle >= load<i32>(load<usize>(row + TIMEFRAME_FIRST * 4) + ((<usize>vote) << 2));
}

export function voteOf(row: usize, vote: i32, candle: i32): i32 {
  const stride = load<usize>(row + TIMEFRAME_STRIDE * 4);
  return <i32>load<i8>(load<usize>(row + TIMEFRAME_VOTES * 4) + <usize>vote * stride + <usize>candle);
}

export function weightOfVote(weights: usize, vote: i32): i32 {
  return load<i32>(weights + ((<usize>vote) << 2));
}
