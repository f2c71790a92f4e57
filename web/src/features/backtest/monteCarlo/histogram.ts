export interface Bin {
  from: number;
  to: number;
  count: number;
}

const BINS_MAX = 32;

/** Values in bins of one width over their range, `mark` inside it; one bin when all are alike. */
export function histogramOf(values: Float64Array, mark: number): Bin[] {
  const low = Math.min(mark, ...values);
  const high = Math.max(mark, ...values);
  const count = high > low ? BINS_MAX : 1;
  const width = (high - low) / count;
  const bins = Array.from({ length: count }, (_, at) => ({
    from: low + at * width,
    to: low + (at + 1) * width,
    count: 0,
  }));
  for (const value of values) {
    const at = width > 0 ? Math.min(count - 1, Math.floor((value - low) / width)) : 0;
    const bin = bins[at];
    if (bin !== undefined) bin.count += 1;
  }
  return bins;
}
