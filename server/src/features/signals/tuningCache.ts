import type { TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';

export interface TuningCache {
  /** The user's saved tuning, cached when it was read recently. */
  get: (userId: string) => Promise<TuningWeights>;
  /** Drops the cached tuning after a change on this node; other nodes use the old one for up to `freshMs`. */
  forget: (userId: string) => void;
}

interface Kept {
  weights: Promise<TuningWeights>;
  readAtMs: number;
}

const freshMs = 30_000;
const usersMax = 20_000;

/** Caches the tuning of each user, so that a signal on warm candles needs no database query. */
export function createTuningCache(
  load: (userId: string) => Promise<TuningWeights>,
  now: () => number = Date.now,
): TuningCache {
  const kept = new Map<string, Kept>();

  function read(userId: string): Promise<TuningWeights> {
    const weights = load(userId);
    kept.delete(userId);
    kept.set(userId, { weights, readAtMs: now() });
    weights.catch(() => kept.delete(userId));
    const [oldest] = kept.keys();
    if (kept.size > usersMax && oldest !== undefined) kept.delete(oldest);
    return weights;
  }

  return {
    get(userId) {
      const before = kept.get(userId);
      return before !== undefined && now() - before.readAtMs < freshMs ? before.weights : read(userId);
    },
    forget: (userId) => void kept.delete(userId),
  };
}
