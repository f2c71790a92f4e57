/** The plain words of every definition: no running state, so they can judge kernels that have one. Tests only. */

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Elements i - period + 1 .. i. */
export function window(x: ArrayLike<number>, i: number, period: number): number[] {
  return range(period).map((j) => x[i - period + 1 + j]!);
}

/** Compensated sum (Neumaier), so that the twin is the more exact of the two. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** f of every whole window; NaN before. */
export function rolling(x: ArrayLike<number>, period: number, f: (values: number[]) => number): number[] {
  return range(x.length).map((i) => (i < period - 1 ? Number.NaN : f(window(x, i, period))));
}

/** Exponential mean from element `start` on: seeded by `seed` there, NaN before. */
export function smoothed(x: ArrayLike<number>, start: number, seed: number, weight: number): number[] {
  let value = seed;
  return range(x.length).map((i) => {
    if (i < start) return Number.NaN;
    if (i > start) value = value * (1 - weight) + x[i]! * weight;
    return value;
  });
}

/** NaN before `from`. */
export function definedFrom(x: readonly number[], from: number): number[] {
  return x.map((value, i) => (i < from ? Number.NaN : value));
}

/** x moved `count` candles to the right, NaN in front. */
export function delayed(x: readonly number[], count: number): number[] {
  return range(x.length).map((i) => (i < count ? Number.NaN : x[i - count]!));
}
