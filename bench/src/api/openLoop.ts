import { randomStream } from '../../data/random.ts';
import { quantile } from '../statistics.ts';

export interface LoadOptions {
  ratePerS: number;
  durationMs: number;
  seed: number;
  /** Sends one request. Resolves when the response is read, rejects on any other response. */
  send: (index: number) => Promise<unknown>;
  /** No further requests start after it. */
  signal?: AbortSignal;
}

export interface Load {
  /** From the intended start to the last byte, ms, in the order they ended. */
  latenciesMs: number[];
  failures: string[];
  /** How much later than intended requests were sent, ms: the generator's own share of the latencies. */
  latenessMs: number[];
}

/** Nearer than this the clock is watched instead of a timer, which is up to a millisecond late. Watching takes a core. */
const watchMs = 1.5;

/** Intended starts of a Poisson process, ms from now: users do not wait for each other's responses. */
export function poissonArrivals({ ratePerS, durationMs, seed }: Omit<LoadOptions, 'send' | 'signal'>): number[] {
  const random = randomStream(seed);
  const arrivals: number[] = [];
  for (let atMs = 0; ;) {
    atMs += (-Math.log(1 - random()) / ratePerS) * 1000;
    if (atMs >= durationMs) return arrivals;
    arrivals.push(atMs);
  }
}

/**
 * Open-loop load: requests start when they are due, whatever is still pending, and their latency counts from the due time. A server that
 * stalls for a second is charged for every request due in that second (no coordinated omission).
 */
export async function openLoop(options: LoadOptions): Promise<Load> {
  const load: Load = { latenciesMs: [], failures: [], latenessMs: [] };
  const running = new Set<Promise<void>>();
  const startMs = performance.now();
  for (const [index, arrivalMs] of poissonArrivals(options).entries()) {
    const dueMs = startMs + arrivalMs;
    await until(dueMs);
    if (options.signal?.aborted === true) break;
    load.latenessMs.push(performance.now() - dueMs);
    const request = options.send(index).then(
      () => void load.latenciesMs.push(performance.now() - dueMs),
      (error: unknown) => void load.failures.push(String(error)),
    );
    running.add(request);
    void request.finally(() => running.delete(request));
  }
  await Promise.all(running);
  return load;
}

async function until(dueMs: number): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs > watchMs) await new Promise((resolve) => setTimeout(resolve, leftMs - watchMs));
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve));
}

export const percentilesOf = (latenciesMs: readonly number[]) => ({
  p50: quantile(latenciesMs, 0.5),
  p90: quantile(latenciesMs, 0.9),
  p95: quantile(latenciesMs, 0.95),
  p99: quantile(latenciesMs, 0.99),
  p999: quantile(latenciesMs, 0.999),
  max: quantile(latenciesMs, 1),
});

/** Counts per bucket that doubles from 1/4 ms: the shape of a distribution in one line. */
export function histogramOf(latenciesMs: readonly number[]): string {
  const counts: number[] = [];
  for (const latencyMs of latenciesMs) {
    const bucket = Math.max(0, Math.ceil(Math.log2(latencyMs / 0.25)));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return Array.from(counts, (count: number | undefined, bucket) => `<=${0.25 * 2 ** bucket} ms: ${count ?? 0}`).join(
    '  ',
  );
}
