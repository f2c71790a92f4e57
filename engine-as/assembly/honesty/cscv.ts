import { addressOf, at, put } from '../series';

/**
 * Combinatorially symmetric cross-validation: in how many ways of halving history does the trial that was best in one
 * half end in the lower half of the other?
 * Source: Bailey, Borwein, Lopez de Prado, Zhu, The Probability of Backtest Overfitting (2014).
 *
 * History is cut into `blockCount` equal blocks; the earliest length mod blockCount rows are left out. Blocks enter as
 * sums and sums of squares, [block * trialCount + trial], so one choice of blocks costs blockCount / 2 additions per trial.
 */

/** Sums and sums of squares of each block. Returns are small beside their spread, so the squares need no centring. */
export function cscvBlocks(
  returns: usize,
  trialCount: i32,
  length: i32,
  blockCount: i32,
  sums: usize,
  squares: usize,
): void {
  const rows = length / blockCount;
  const skip = length - rows * blockCount;
  for (let k = 0; k < trialCount; k++) {
    const column = addressOf(returns, k * length + skip);
    for (let b = 0; b < blockCount; b++) {
      let sum: f64 = 0;
      let square: f64 = 0;
      for (let t = b * rows; t < (b + 1) * rows; t++) {
        const value = at(column, t);
        sum += value;
        square += value * value;
      }
      put(sums, b * trialCount + k, sum);
      put(squares, b * trialCount + k, square);
    }
  }
}

/**
 * Sharpe of every trial over the blocks in `mask`, two trials at a time; `rows` observations in all. No variation reads as 0.
 * @param out f64[trialCount], with room for one more
 */
function sharpesOf(mask: u32, sums: usize, squares: usize, trialCount: i32, rows: f64, out: usize): void {
  const perTrial = (<usize>trialCount) << 3;
  const scale = f64x2.splat(1.0 / rows);
  const freedom = f64x2.splat(rows - 1.0);
  const noise = f64x2.splat(1e-13); // below this the difference is the rounding of the squares, not variation
  for (let k: usize = 0; k < perTrial; k += 16) {
    let sum = f64x2.splat(0);
    let square = f64x2.splat(0);
    for (let left = mask; left != 0; left &= left - 1) {
      const block = perTrial * <usize>ctz(left) + k;
      sum = f64x2.add(sum, v128.load(sums + block));
      square = f64x2.add(square, v128.load(squares + block));
    }
    const mean = f64x2.mul(sum, scale);
    const spread = f64x2.sub(square, f64x2.mul(sum, mean));
    const sharpe = f64x2.div(mean, f64x2.sqrt(f64x2.div(spread, freedom)));
    v128.store(out + k, v128.and(sharpe, f64x2.gt(spread, f64x2.mul(square, noise))));
  }
}

/** Rank of the best trial of `inside` among `outside`, over trialCount + 1: 1 / (N + 1) is worst, N / (N + 1) is best. */
function relativeRank(inside: usize, outside: usize, trialCount: i32, record: usize): f64 {
  let best = 0;
  for (let k = 1; k < trialCount; k++) if (at(inside, k) > at(inside, best)) best = k;
  const own = at(outside, best);
  let below = 0;
  let equal = 0;
  for (let k = 0; k < trialCount; k++) {
    below += i32(at(outside, k) < own);
    equal += i32(at(outside, k) == own);
  }
  if (record) {
    store<f64>(record, at(inside, best));
    store<f64>(record, own, 8);
  }
  // `equal` counts the trial itself; ties share their mean rank.
  return (<f64>below + 0.5 * <f64>(equal + 1)) / <f64>(trialCount + 1);
}

/**
 * @param sums, squares f64[blockCount * trialCount], readable one value past the end
 * @param scratch f64[2 * trialCount + 4]
 * @param out     f64[3 * C(blockCount, blockCount / 2)] or 0: per choice, Sharpe inside of the trial that was best inside,
 *                its Sharpe outside, its relative rank outside. A choice and its complement stand side by side.
 * @returns       share of the choices with relative rank <= 1/2 (logit <= 0)
 */
export function cscvOverfit(
  sums: usize,
  squares: usize,
  trialCount: i32,
  blockCount: i32,
  rowsPerBlock: i32,
  scratch: usize,
  out: usize,
): f64 {
  const half = blockCount >> 1;
  const rows = <f64>(half * rowsPerBlock);
  const all: u32 = ((<u32>1) << blockCount) - 1;
  const other = addressOf(scratch, trialCount + 2);
  let overfit = 0;
  let count = 0;
  // Masks that hold block 0: each names its complement too.
  for (let rest: u32 = ((<u32>1) << (half - 1)) - 1; rest < (<u32>1) << (blockCount - 1); rest = nextChoice(rest)) {
    const mask = (rest << 1) | 1;
    sharpesOf(mask, sums, squares, trialCount, rows, scratch);
    sharpesOf(all ^ mask, sums, squares, trialCount, rows, other);
    const record = out ? addressOf(out, 3 * count) : 0;
    const forward = relativeRank(scratch, other, trialCount, record);
    const backward = relativeRank(other, scratch, trialCount, out ? record + 24 : 0);
    if (out) {
      store<f64>(record, forward, 16);
      store<f64>(record, backward, 40);
    }
    overfit += i32(forward <= 0.5) + i32(backward <= 0.5);
    count += 2;
    if (half == 1) break;
  }
  return <f64>overfit / <f64>count;
}

/** Next larger number with as many bits set. Source: Gosper, HAKMEM item 175. */
function nextChoice(x: u32): u32 {
  const lowest = x & (0 - x);
  const ripple = x + lowest;
  return ripple | (((x ^ ripple) >> 2) / lowest);
}
