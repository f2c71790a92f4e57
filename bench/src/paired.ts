import { median, medianInterval, quantile } from './statistics.ts';

/** One side of a comparison: runs its operation `count` times and says how many nanoseconds that took. */
export interface Contestant {
  block(count: number): number | Promise<number>;
}

export interface PairedOptions {
  /** Aim for one block; long enough to drown the clock, short enough that both blocks of a pair see the same machine. */
  blockMs?: number;
  warmMs?: number;
  /** Both sides together, after warming up; decides the number of pairs within the bounds. */
  budgetMs?: number;
  pairsMin?: number;
  pairsMax?: number;
}

export interface Paired {
  /** Median over the pairs of theirs / ours: above 1 we are that many times faster. */
  ratio: number;
  /** 95 % bootstrap interval of the ratio, and its half width as a fraction of the ratio. */
  low: number;
  high: number;
  margin: number;
  pairCount: number;
  /** Lower quartile of the blocks: a busy machine only ever adds time. Nanoseconds per operation. */
  oursNs: number;
  theirsNs: number;
}

export type ClockNs = () => number;
export const processClock: ClockNs = () => Number(process.hrtime.bigint());

/** Longest step of a clock that can time a block. */
const CLOCK_STEP_MAX_NS = 50_000;
const CLOCK_STEPS = 20;

/**
 * Processor time of this thread, which other programs on the machine lengthen less than the time on the wall; the wall clock where the system
 * counts it in steps longer than a block.
 */
export function threadClock(): ClockNs {
  const read: ClockNs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) * 1000;
  };
  const start = read();
  let last = start;
  for (let steps = 0; steps < CLOCK_STEPS;) {
    const now = read();
    if (now > last) steps++;
    last = now;
  }
  return (last - start) / CLOCK_STEPS <= CLOCK_STEP_MAX_NS ? read : processClock;
}

/** A contestant inside this process. A first, untimed call brings its data back into the caches. */
export function inProcess(operation: () => void, clock: ClockNs = processClock): Contestant {
  return {
    block(count) {
      if (count > 4) operation();
      const start = clock();
      for (let i = 0; i < count; i++) operation();
      return clock() - start;
    },
  };
}

/** A contestant whose operation does `parts` times the work of the other side's; its time is divided by `parts`. */
export function oneOf(parts: number, contestant: Contestant): Contestant {
  return { block: async (count) => (await contestant.block(count)) / parts };
}

/** Calls `work` with 0, 1, ... count - 1 and 0 again, one number a call: a long operation in pieces that fit a block. */
export function inTurn(count: number, work: (index: number) => void): () => void {
  let next = 0;
  return () => {
    work(next);
    next = (next + 1) % count;
  };
}

/**
 * Times two contestants in short blocks that alternate ABBA, so that drift of the machine affects both alike. The ratio is computed inside
 * each pair; figures of different runs, or of one side measured after the other, are not comparable.
 */
export async function paired(ours: Contestant, theirs: Contestant, options: PairedOptions = {}): Promise<Paired> {
  const { blockMs = 1, warmMs = 30, budgetMs = 300, pairsMin = 21, pairsMax = 151 } = options;
  const oursCost = await warm(ours, warmMs);
  const theirsCost = await warm(theirs, warmMs);
  const oursCount = operationsFor(oursCost, blockMs);
  const theirsCount = operationsFor(theirsCost, blockMs);
  const pairMs = (oursCost * oursCount + theirsCost * theirsCount) / 1e6;
  const pairCount = Math.min(pairsMax, Math.max(pairsMin, Math.round(budgetMs / pairMs)));

  const ratios: number[] = [];
  const oursTimes: number[] = [];
  const theirsTimes: number[] = [];
  for (let i = 0; i < pairCount; i++) {
    const isOursFirst = i % 2 === 0;
    const first = isOursFirst ? await ours.block(oursCount) : await theirs.block(theirsCount);
    const second = isOursFirst ? await theirs.block(theirsCount) : await ours.block(oursCount);
    const oursNs = (isOursFirst ? first : second) / oursCount;
    const theirsNs = (isOursFirst ? second : first) / theirsCount;
    ratios.push(theirsNs / oursNs);
    oursTimes.push(oursNs);
    theirsTimes.push(theirsNs);
  }
  const ratio = median(ratios);
  const { low, high } = medianInterval(ratios);
  return {
    ratio,
    low,
    high,
    margin: (high - low) / 2 / ratio,
    pairCount,
    oursNs: quantile(oursTimes, 0.25),
    theirsNs: quantile(theirsTimes, 0.25),
  };
}

/** Minimum warm-up blocks of a contestant, however long each takes: compilers need calls as well as time. */
const WARM_BLOCKS_MIN = 6;

/** Doubles the block until `warmMs` have gone by. Returns nanoseconds per operation in the fastest block. */
async function warm(contestant: Contestant, warmMs: number): Promise<number> {
  let spentNs = 0;
  let cost = Infinity;
  for (let block = 0, count = 1; ; block++) {
    const taken = Math.max(await contestant.block(count), 1);
    spentNs += taken;
    cost = Math.min(cost, taken / count);
    if (block >= WARM_BLOCKS_MIN && (spentNs >= warmMs * 1e6 || count >= 2 ** 24)) return cost;
    if (taken < (warmMs * 1e6) / 4) count *= 2;
  }
}

function operationsFor(costNs: number, blockMs: number): number {
  return Math.max(1, Math.round((blockMs * 1e6) / costNs));
}
