import { setTimeout as delay } from 'node:timers/promises';

/** Time as the adapter sees it. Tests give one that they move by hand. */
export interface Clock {
  /** Epoch ms. */
  now: () => number;
  /** Rejects when `signal` aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
