import { randomDraw, streamKey } from '../random/draw';
import { addressOf, at, put } from '../series';
import { moments } from './moments';

/**
 * The best Sharpe ratio of these trials when none of them has any skill: means are removed and the signs of short blocks of shocks are
 * redrawn, the same for all trials, so that their correlation is preserved.
 * Source: White, A Reality Check for Data Snooping (2000), studentised as in Hansen (2005); random signs after Wu (1986).
 *
 * @param returns     f64[trialCount * length]
 * @param blockLength bars that share a sign, 1..length
 * @param scratch     f64[trialCount * ceil(length / blockLength) + trialCount + 4]
 * @param out         f64[resampleCount], written: largest mean over deviation of each resample
 */
export function bestByLuck(
  returns: usize,
  trialCount: i32,
  length: i32,
  blockLength: i32,
  resampleCount: i32,
  seed: u64,
  scratch: usize,
  out: usize,
): void {
  const blocks = (length + blockLength - 1) / blockLength;
  const sums = addressOf(scratch, trialCount * blocks);
  for (let k = 0; k < trialCount; k++) {
    const column = addressOf(returns, k * length);
    moments(column, length, sums);
    const mean = load<f64>(sums);
    const deviation = load<f64>(sums, 8);
    const scale = deviation > 0 ? 1.0 / (deviation * <f64>length) : 0;
    for (let b = 0; b < blocks; b++) {
      let sum: f64 = 0;
      for (let t = b * blockLength; t < min((b + 1) * blockLength, length); t++) sum += at(column, t) - mean;
      put(scratch, b * trialCount + k, sum * scale);
    }
  }
  for (let r = 0; r < resampleCount; r++)
    put(out, r, bestOfSigns(scratch, trialCount, blocks, streamKey(seed, <u64>r), sums));
}

function bestOfSigns(shocks: usize, trialCount: i32, blocks: i32, key: u64, sums: usize): f64 {
  for (let k = 0; k < trialCount; k++) put(sums, k, 0);
  for (let b = 0; b < blocks; b++) {
    const sign: f64 = randomDraw(key, <u64>b) >> 63 ? 1 : -1;
    const row = addressOf(shocks, b * trialCount);
    for (let k = 0; k < trialCount; k++) put(sums, k, at(sums, k) + sign * at(row, k));
  }
  let best: f64 = -Infinity;
  for (let k = 0; k < trialCount; k++) if (at(sums, k) > best) best = at(sums, k);
  return best;
}
