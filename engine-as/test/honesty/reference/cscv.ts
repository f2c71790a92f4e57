/** Probability of overfitting straight from the paper: every choice of blocks, every Sharpe from the rows themselves. */
export function cscvReference(returns: Float64Array, trialCount: number, length: number, blockCount: number): number {
  const rows = Math.floor(length / blockCount);
  const skip = length - rows * blockCount;
  const choices = chooseHalf(blockCount);
  let overfit = 0;
  for (const inside of choices) {
    const isInside = (t: number): boolean => inside.has(Math.floor((t - skip) / rows));
    const sharpes = Array.from({ length: trialCount }, (_, k) => {
      const column = returns.subarray(k * length, (k + 1) * length);
      const part = (wanted: boolean): number =>
        sharpe([...column].filter((_, t) => t >= skip && isInside(t) === wanted));
      return { inside: part(true), outside: part(false) };
    });
    const best = sharpes.reduce((a, b) => (b.inside > a.inside ? b : a));
    const below = sharpes.filter((trial) => trial.outside < best.outside).length;
    const ties = sharpes.filter((trial) => trial.outside === best.outside).length;
    const relative = (below + (ties + 1) / 2) / (trialCount + 1);
    if (Math.log(relative / (1 - relative)) <= 0) overfit++;
  }
  return overfit / choices.length;
}

function sharpe(values: number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return variance > 1e-12 * mean * mean ? mean / Math.sqrt(variance) : 0;
}

function chooseHalf(blockCount: number): Set<number>[] {
  const matches: Set<number>[] = [];
  for (let mask = 0; mask < 1 << blockCount; mask++) {
    const blocks = Array.from({ length: blockCount }, (_, b) => b).filter((b) => (mask >> b) & 1);
    if (blocks.length === blockCount / 2) matches.push(new Set(blocks));
  }
  return matches;
}
