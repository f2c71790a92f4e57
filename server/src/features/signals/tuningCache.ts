import type { TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';

export interface TuningCache {
  /** The user's saved tuning, cached when it was read recently. */
  get: (userId: string) => Promise<TuningWeights>;
  /** Drops the cached tuning after a change on this node; other nodes use the old one for up to `freshMs`. */
  forget: (userId: string) => void;
}

interface CachedTuning {
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
  const cache = new Map<string, CachedTuning>();

  function read(userId: string): Promise<TuningWeights> {
    const weights = load(userId);
    cache.delete(userId);
    cache.set(userId, { weights, readAtMs: now() });
    weights.catch(() => cache.delete(userId));
    const [oldest] = cache.keys();
    if (cache.size > usersMax && oldest !== undefined) cache.delete(oldest);
    return weights;
  }

  return {
    get(userId) {
      const before = cache.get(userId);
      return before !== undefined && now() - before.readAtMs < freshMs ? before.weights : read(userId);
    },
    forget: (userId) => void cache.delete(userId),
  };
}
