import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until the result is final or the signal aborts, and returns the last result.
 * @param waitMsOf delay before the next call in ms; undefined when the result is final
 */
export async function askAgain<T>(
  ask: () => Promise<T>,
  waitMsOf: (answer: T) => number | undefined,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    const waitMs = waitMsOf(answer);
    if (waitMs === undefined) return answer;
    const isOver = await delay(waitMs, false, { signal }).catch(() => true);
    if (isOver) return answer;
  }
}
