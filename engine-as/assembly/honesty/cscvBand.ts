import { randomDraw, streamKey } from '../random/draw';
import { addressOf, at, put } from '../series';
import { cscvOverfit } from './cscv';
import { maximumQuantile } from './luck';
import { moments } from './moments';

/**
 * Sharpe ratios with the luck taken out: each is drawn towards their mean by the share of their spread that noise explains
 * (James and Stein), but one that stands out further than the best of all would by luck in 95 % of cases stays as it is
 * (thresholding after Donoho and Johnstone, 1994; without it a single good trial among many poor ones would be shrunk away).
 * @param sharpes       f64[trialCount], from `length` observations each
 * @param meanSharpe    their mean; `variance` their sample variance; `correlation` the mean correlation of the trials' returns
 * @param out           f64[trialCount]
 */
export function shrinkSharpes(
  sharpes: usize,
  trialCount: i32,
  length: i32,
  meanSharpe: f64,
  variance: f64,
  correlation: f64,
  out: usize,
): void {
  const noise = Math.max(0, 1.0 - correlation) / <f64>length;
  const keep = variance > noise ? 1.0 - noise / variance : 0;
  const outstanding = Math.sqrt(noise) * maximumQuantile(<f64>trialCount, 0.95);
  for (let k = 0; k < trialCount; k++) {
    const distance = at(sharpes, k) - meanSharpe;
    put(out, k, meanSharpe + (Math.abs(distance) > outstanding ? distance : keep * distance));
  }
}

/**
 * Sampling distribution of the overfitting probability under chance: it is computed again on `resampleCount` histories in which every trial
 * keeps its shrunk Sharpe (shrinkSharpes) and its measured shocks, whose sign is redrawn per short block, the same for all trials.
 * Correlation between trials, fat tails and volatility clustering are preserved. (Resampling rows with replacement would put the same row
 * into both halves and make every trial look robust.)
 *
 * @param returns    f64[trialCount * length]
 * @param chunkCount sign blocks per block, 1..rows per block
 * @param sharpes    f64[trialCount]: Sharpe per observation that each trial has in these histories
 * @param scratch    f64[(chunkCount + 3) * blockCount * trialCount + 3 * trialCount + 8]
 * @param out        f64[resampleCount]: overfitting probability of each history
 */
export function cscvBand(
  returns: usize,
  trialCount: i32,
  length: i32,
  blockCount: i32,
  chunkCount: i32,
  sharpes: usize,
  resampleCount: i32,
  seed: u64,
  scratch: usize,
  out: usize,
): void {
  const rows = length / blockCount;
  const cells = blockCount * trialCount;
  const means = scratch;
  const shocks = addressOf(means, trialCount);
  const noise = addressOf(shocks, cells * chunkCount);
  const sums = addressOf(noise, cells);
  const squares = addressOf(sums, cells);
  const work = addressOf(squares, cells);
  for (let k = 0; k < trialCount; k++) {
    const column = addressOf(returns, k * length);
    moments(column, length, work);
    put(means, k, at(sharpes, k) * load<f64>(work, 8));
    shocksOf(
      addressOf(column, length - rows * blockCount),
      load<f64>(work),
      rows,
      blockCount,
      chunkCount,
      trialCount,
      k,
      shocks,
      noise,
    );
  }
  for (let r = 0; r < resampleCount; r++) {
    signedSums(streamKey(seed, <u64>r), rows, blockCount, chunkCount, trialCount, means, shocks, noise, sums, squares);
    put(out, r, cscvOverfit(sums, squares, trialCount, blockCount, rows, work, 0));
  }
}

/** Sum of the shocks of each sign block, and of their squares of each block, of trial `k`. */
function shocksOf(
  column: usize,
  mean: f64,
  rows: i32,
  blockCount: i32,
  chunkCount: i32,
  trialCount: i32,
  k: i32,
  shocks: usize,
  noise: usize,
): void {
  for (let b = 0; b < blockCount; b++) {
    let square: f64 = 0;
    for (let c = 0; c < chunkCount; c++) {
      let sum: f64 = 0;
      for (let t = b * rows + (c * rows) / chunkCount; t < b * rows + ((c + 1) * rows) / chunkCount; t++) {
        const shock = at(column, t) - mean;
        sum += shock;
        square += shock * shock;
      }
      put(shocks, (b * chunkCount + c) * trialCount + k, sum);
    }
    put(noise, b * trialCount + k, square);
  }
}

/** Block sums of mean + sign * shock: the squares of the signs are 1, so only the cross term changes. */
function signedSums(
  key: u64,
  rows: i32,
  blockCount: i32,
  chunkCount: i32,
  trialCount: i32,
  means: usize,
  shocks: usize,
  noise: usize,
  sums: usize,
  squares: usize,
): void {
  const n = <f64>rows;
  for (let b = 0; b < blockCount; b++) {
    const base = b * trialCount;
    for (let k = 0; k < trialCount; k++) put(sums, base + k, 0);
    for (let c = 0; c < chunkCount; c++) {
      const chunk = b * chunkCount + c;
      const sign: f64 = randomDraw(key, <u64>chunk) >> 63 ? 1 : -1;
      const row = chunk * trialCount;
      for (let k = 0; k < trialCount; k++) put(sums, base + k, at(sums, base + k) + sign * at(shocks, row + k));
    }
    for (let k = 0; k < trialCount; k++) {
      const mean = at(means, k);
      const shock = at(sums, base + k);
      put(squares, base + k, n * mean * mean + 2.0 * mean * shock + at(noise, base + k));
      put(sums, base + k, n * mean + shock);
    }
  }
}
