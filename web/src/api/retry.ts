import { ApiFailure } from './failure.ts';

const RETRY = { retriesMax: 6, firstDelayMs: 1000, factor: 1.5 } as const;

/** The browser is offline: requests now fail at once, and all are sent again when it is back online. */
const isOffline = (): boolean => 'onLine' in navigator && !navigator.onLine;

/** A rejection of the request is final: a repeat gets the same response. */
function canHeal(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return false;
  return (failure.status === 0 && !isOffline()) || failure.status === 429 || failure.status >= 500;
}

/** @param failureCount failures so far, not counting this one */
export function shouldRetry(failureCount: number, failure: unknown): boolean {
  return failureCount < RETRY.retriesMax && canHeal(failure);
}

/** Delay before retry number `retryIndex` (0 is the first); the server's own Retry-After wins when it is longer. */
export function retryDelayMs(retryIndex: number, failure?: unknown): number {
  const ours = RETRY.firstDelayMs * RETRY.factor ** retryIndex;
  const requestCount = failure instanceof ApiFailure ? (failure.retryAfterS ?? 0) * 1000 : 0;
  return Math.max(ours, requestCount);
}
