import { createSharedAnswer } from '../../platform/sharedAnswer.ts';

/** How long one answer of the database stands for the next callers. */
export const HEALTH_FRESH_MS = 1000;

/**
 * Measures the round trip to the database at most once a second, however many ask: anybody may, without an account. All who ask
 * within that second get the same answer or the same failure.
 * @returns milliseconds of the round trip
 */
export function createSharedPing(ping: () => Promise<void>, nowMs: () => number): () => Promise<number> {
  const measure = async (): Promise<number> => {
    const startedAt = nowMs();
    await ping();
    return nowMs() - startedAt;
  };
  return createSharedAnswer(HEALTH_FRESH_MS, measure, nowMs);
}
