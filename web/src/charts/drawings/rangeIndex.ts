/** Something that covers a range of candle indices; the ends may be infinite. */
export interface Ranged {
  from: number;
  to: number;
}

/**
 * Ranges sorted by their start, with the farthest end so far: a query costs a binary search and the ranges from the first one that can
 * reach into it, not all of them.
 */
export class RangeIndex<T extends Ranged> {
  readonly #sorted: readonly T[];
  /** Farthest end of the ranges up to each. */
  readonly #farthest: Float64Array;

  constructor(ranges: readonly T[]) {
    this.#sorted = ranges.toSorted((a, b) => a.from - b.from);
    this.#farthest = new Float64Array(ranges.length);
    let farthest = -Infinity;
    this.#sorted.forEach(({ to }, at) => {
      farthest = Math.max(farthest, to);
      this.#farthest[at] = farthest;
    });
  }

  /** The ranges that share an index with [from, to], by their start. */
  within(from: number, to: number): T[] {
    const result: T[] = [];
    for (let at = this.#countUntil(to) - 1; at >= 0; at--) {
      if ((this.#farthest[at] ?? -Infinity) < from) break;
      const range = this.#sorted[at];
      if (range !== undefined && range.to >= from) result.push(range);
    }
    return result.reverse();
  }

  /** Number of ranges that start at `to` or before. */
  #countUntil(to: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.from ?? Infinity) <= to) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
