import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is final or the signal aborts, and gives the last answer.
 * @param waitMsOf time until the next question, in ms; undefined when the answer is final
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
