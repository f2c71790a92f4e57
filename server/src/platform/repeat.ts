/**
 * Does work again and again, the first time at once, then one round at a time: a slow one is not overtaken by the next.
 * @returns ends it. A round under way goes on by itself, and what it fails with from then on is not told: by then another node leads, or
 * the database is closed.
 */
export function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isEnded = false;
  const round = (): void => {
    if (isRunning) return;
    isRunning = true;
    // Within a promise: work that throws before its first await must not end the process.
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => {
        if (!isEnded) onError(error);
      })
      .finally(() => (isRunning = false));
  };
  const timer = setInterval(round, everyMs);
  timer.unref();
  round();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
}
