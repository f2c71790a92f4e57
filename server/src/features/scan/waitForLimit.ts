import { setTimeout as timer } from 'node:timers/promises';
import type { Outcome } from '../../platform/errors.ts';

/** Longest wait of a scan for our own request limit; the hold of its credit lasts longer. */
export const OWN_LIMIT_WAIT_MS = 15_000;

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const pauseFor: Pause = (ms, signal) => timer(ms, undefined, { signal }).catch(() => undefined);

/** Repeats loads that our own request limit rejected, as long as all waits of one scan end within `OWN_LIMIT_WAIT_MS`. */
export function createLimitWait(signal: AbortSignal, pause: Pause = pauseFor) {
  const startedMs = performance.now();
  let pausedMs = 0;
  return async <T>(load: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    for (;;) {
      const loaded = await load();
      if (loaded.ok || loaded.error.isOwnLimit !== true) return loaded;
      const waitMs = (loaded.error.retryAfterS ?? Infinity) * 1000;
      // Waits of several loads overlap, so the clock counts, and the sum only where it does not move.
      const usedMs = Math.max(performance.now() - startedMs, pausedMs);
      if (signal.aborted || usedMs + waitMs > OWN_LIMIT_WAIT_MS) return loaded;
      await pause(waitMs, signal);
      pausedMs = Math.max(pausedMs, usedMs + waitMs);
    }
  };
}
