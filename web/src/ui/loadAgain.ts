/** Pauses before a file or a picture that did not come is requested again, ms. */
export const loadPausesMs = [500, 1500, 4000] as const;

/** The browser itself knows of no network: a further request fails as well, and the failure is shown at once. */
export const isOffline = (): boolean => 'onLine' in navigator && !navigator.onLine;

/**
 * Loads what a page needs late: a chunk, the engine, a worker. One request that fails, of a busy server or a network that changes, must not
 * leave a hole in the page, so it is repeated with pauses. Rejects as the last one.
 * @param canHeal whether a failure is worth another request
 */
export async function loadAgain<T>(
  load: () => Promise<T>,
  { canHeal = () => true, pausesMs = loadPausesMs }: LoadOptions = {},
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await load();
    } catch (failure) {
      if (isOffline() || !canHeal(failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return load();
}

interface LoadOptions {
  canHeal?: (failure: unknown) => boolean;
  pausesMs?: readonly number[];
}
