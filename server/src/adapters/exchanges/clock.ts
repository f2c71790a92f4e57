import { setTimeout as delay } from 'node:timers/promises';

/** Time source of the adapter. Tests pass a manual clock. */
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
