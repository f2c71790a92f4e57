import { createSharedResponse } from '../../../platform/sharedResponse.ts';

/** How long a ping result is reused. */
export const HEALTH_FRESH_MS = 1000;

/**
 * Measures the round trip to the database at most once a second, because the route is public. All callers within that second share the
 * result or the failure.
 * @returns milliseconds of the round trip
 */
export function createSharedPing(ping: () => Promise<void>, nowMs: () => number): () => Promise<number> {
  const measure = async (): Promise<number> => {
    const startedAt = nowMs();
    await ping();
    return nowMs() - startedAt;
  };
  return createSharedResponse(HEALTH_FRESH_MS, measure, nowMs);
}
