import { ok, type Outcome, refuse } from '../../platform/errors.ts';
import { createPlaces, runInPlace } from '../../platform/limits/places.ts';

/** What one who asks may cause to be fetched. */
export interface Caller {
  /** Counts fetches before they are made; refused when this minute's are used up. */
  charge: (cost: number) => Outcome<null>;
  /** Runs work that fetches when few enough of the same caller are under way. */
  inPlace: <T>(work: () => Promise<Outcome<T>>) => Promise<Outcome<T>>;
}

/** Our own rounds, which keep what is in use up to date. */
const ourselves: Caller = { charge: () => ok(null), inPlace: (work) => work() };

/** About a quarter of what Binance gives one address in a minute: a page of 1000 candles weighs 5 of its 2400. */
const perMinute = 120;
const flights = { placeCount: Infinity, perKey: 4, queueMaxPerKey: 32, waitMsMax: 10_000 };
const callersMax = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/**
 * The share of one user in what all users together may ask of the exchanges. What comes from memory costs nothing. Counted in
 * this process: each node has its own address and its own budget.
 */
export function createFetchShare(now: () => number): (userId: string | undefined) => Caller {
  const buckets = new Map<string, Bucket>();
  const places = createPlaces(flights);

  function bucketOf(userId: string): Bucket {
    const nowMs = now();
    const before = buckets.get(userId) ?? { left: perMinute, atMs: nowMs };
    const refilled = Math.max(0, nowMs - before.atMs) * (perMinute / 60_000);
    const bucket = { left: Math.min(perMinute, before.left + refilled), atMs: nowMs };
    // Who has not asked for the longest time goes first: its bucket is full again anyway.
    buckets.delete(userId);
    buckets.set(userId, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > callersMax && oldest !== undefined) buckets.delete(oldest);
    return bucket;
  }

  function charge(userId: string, cost: number): Outcome<null> {
    const bucket = bucketOf(userId);
    if (bucket.left < cost) {
      const retryAfterS = Math.ceil(((cost - bucket.left) * 60) / perMinute);
      return refuse('rate_limited', 'You have asked the exchanges for too much in this minute.', { retryAfterS });
    }
    bucket.left -= cost;
    return ok(null);
  }

  return (userId) =>
    userId === undefined
      ? ourselves
      : {
          charge: (cost) => charge(userId, cost),
          inPlace: async (work) => {
            const done = await runInPlace(places, userId, work);
            return done.ok ? done.value : done;
          },
        };
}
