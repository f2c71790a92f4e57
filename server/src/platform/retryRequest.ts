import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until the result is final or the signal aborts, and returns the last result.
 * @param waitMsOf delay before the next call in ms; undefined when the result is final
 */
export async function retryRequest<T>(
  request: () => Promise<T>,
  waitMsOf: (response: T) => number | undefined,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    const response = await request();
    const waitMs = waitMsOf(response);
    if (waitMs === undefined) return response;
    const isOver = await delay(waitMs, false, { signal }).catch(() => true);
    if (isOver) return response;
  }
}
