/** Pauses before a failed file or picture is requested again, ms. */
export const loadPausesMs = [500, 1500, 4000] as const;

/** The browser is offline: another request would fail too, and the failure is shown at once. */
export const isOffline = (): boolean => 'onLine' in navigator && !navigator.onLine;

/**
 * Loads a late part of a page: a chunk, the engine, a worker. One failed request, from a busy server or a changing network, must not leave
 * a hole in the page, so it is repeated with pauses. Rejects with the last failure.
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
