const IDLE_MS_MAX = 1500;

/** After the first paint, as soon as the browser has nothing better to do, and in any case soon. @returns calls it off */
export function whenQuiet(work: () => void): () => void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 300);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(work, { timeout: IDLE_MS_MAX });
  return () => window.cancelIdleCallback(handle);
}
