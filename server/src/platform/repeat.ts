/**
 * Runs work immediately and then at each interval; skips a round while the previous one is running.
 * @returns stops it. A running round continues, but its failure is not reported: by then another node leads, or the database is closed.
 */
export function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isEnded = false;
  const round = (): void => {
    if (isRunning) return;
    isRunning = true;
    // Inside a promise: work that throws before its first await must not end the process.
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
