import { VOTE_COUNT } from '../../abi/votes';

// Addresses and first candles of the votes; abi/voteExports.ts defines the layout.

const cleared = memory.data(128, 16);

/** Stores the first candle of vote `k` and returns it. */
export function writeFirst(first: usize, k: i32, warmup: i32, length: i32): i32 {
  const candle = min(warmup, length);
  store<i32>(first + ((<usize>k) << 2), candle);
  return candle;
}

export function columnOf(votes: usize, stride: i32, k: i32): usize {
  return votes + <usize>k * <usize>stride;
}

/** No opinion anywhere. */
export function clearColumns(votes: usize, stride: i32, length: i32): void {
  for (let k = 0; k < VOTE_COUNT; k++) memory.fill(columnOf(votes, stride, k), 0, <usize>length);
}

/** A cleared streaming state: every vote is computed as a whole series. */
export function clearedState(): usize {
  memory.fill(cleared, 0, 128);
  return cleared;
}
