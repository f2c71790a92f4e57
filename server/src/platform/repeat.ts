/** Does work again and again, the first time at once, then one round at a time: a slow one is not overtaken by the next. */
export function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  const round = (): void => {
    if (isRunning) return;
    isRunning = true;
    // Within a promise: work that throws before its first await must not end the process.
    Promise.resolve()
      .then(work)
      .catch(onError)
      .finally(() => (isRunning = false));
  };
  const timer = setInterval(round, everyMs);
  timer.unref();
  round();
  return () => clearInterval(timer);
}
