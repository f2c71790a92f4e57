import { setTimeout as delay } from 'node:timers/promises';
import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { createSlots, runInSlot } from '../../platform/limits/slots.ts';
import type { ExchangeId } from './port.ts';
import { inBulk, readPriority } from '../../platform/readPriority.ts';

/** Limits the fetches that one user may cause. */
export interface Caller {
  /** Counts fetches before they are sent. Waits for a slot of the user; rejects when that would take too long. */
  charge: (cost: number, exchange: ExchangeId) => Promise<Outcome<null>>;
  /** Counts fetches that were already sent, even beyond this minute's share: later ones then wait longer. */
  owe: (cost: number) => void;
  /** Runs work that fetches, once few enough fetches of the same caller are running. */
  inPlace: <T>(work: () => Promise<Outcome<T>>) => Promise<Outcome<T>>;
}

/** For the service's own rounds, which refresh series in use. */
export const ourselves: Caller = {
  charge: () => Promise.resolve(ok(null)),
  owe: () => undefined,
  inPlace: (work) => work(),
};

/** Kind of request: interactive, or by a scan, which is paid and reads many series at once. */
export type Purpose = 'direct' | 'scan';

interface Share {
  /** Pages per minute, and at once after a quiet minute. */
  perMinute: number;
  /** Longest wait for a slot. */
  waitMsMax: number;
  flights: Parameters<typeof createSlots>[0];
  /** Reads many series at once: a read of one series is sent first. */
  isBulk: boolean;
}

/**
 * A page of 500 to 1000 candles weighs 5 of the 2400 that Binance allows one address in a minute, of which we use 80 %. Interactive use
 * gets about a quarter of it. A scan: 100 symbols on three intervals, once a minute, of which 326 pages fit beside single reads (`Budget`);
 * starting and cancelling scans does not raise a user's share.
 */
const shares: Record<Purpose, Share> = {
  direct: {
    perMinute: 120,
    waitMsMax: 12_000,
    flights: { slotCount: Infinity, perKey: 4, queueMaxPerKey: 32, waitMsMax: 10_000 },
    isBulk: false,
  },
  scan: {
    perMinute: 360,
    waitMsMax: 60_000,
    flights: { slotCount: Infinity, perKey: 12, queueMaxPerKey: 64, waitMsMax: 30_000 },
    isBulk: true,
  },
};
const callersMax = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/**
 * The share of one user in the exchange requests of all users. Cached data costs nothing. Counted in this process: each node has a
 * separate address and budget.
 */
export function createFetchShare(
  now: () => number,
  sleep: (ms: number) => Promise<unknown> = (ms) => delay(ms),
): (userId: string | undefined, purpose?: Purpose) => Caller {
  const direct = createShare({ now, sleep }, shares.direct);
  const scan = createShare({ now, sleep }, shares.scan);
  return (userId, purpose = 'direct') => {
    if (userId === undefined) return ourselves;
    return (purpose === 'scan' ? scan : direct)(userId);
  };
}

interface Time {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

function createShare(
  { now, sleep }: Time,
  { perMinute, waitMsMax, flights, isBulk }: Share,
): (userId: string) => Caller {
  const buckets = new Map<string, Bucket>();
  const slots = createSlots(flights);

  function bucketOf(userId: string): Bucket {
    const nowMs = now();
    const before = buckets.get(userId) ?? { left: perMinute, atMs: nowMs };
    const refilled = Math.max(0, nowMs - before.atMs) * (perMinute / 60_000);
    const bucket = { left: Math.min(perMinute, before.left + refilled), atMs: nowMs };
    // Evicts the user without a request for the longest time: that bucket is full again anyway.
    buckets.delete(userId);
    buckets.set(userId, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > callersMax && oldest !== undefined) buckets.delete(oldest);
    return bucket;
  }

  /** Slots are booked ahead, so each waits for the user's earlier ones. */
  async function charge(userId: string, cost: number, exchange: ExchangeId): Promise<Outcome<null>> {
    const bucket = bucketOf(userId);
    const waitMs = Math.max(0, ((cost - bucket.left) * 60_000) / perMinute);
    if (waitMs > Math.min(waitMsMax, readPriority().patienceMs)) {
      const retryAfterS = Math.ceil(waitMs / 1000);
      const message = `Your queue for ${exchangeNames[exchange]} is full. Try again in ${retryAfterS} s.`;
      return reject('rate_limited', message, { retryAfterS, exchange });
    }
    bucket.left -= cost;
    if (waitMs > 0) await sleep(waitMs);
    return ok(null);
  }

  return (userId) => ({
    charge: (cost, exchange) => charge(userId, cost, exchange),
    owe: (cost) => void (bucketOf(userId).left -= Math.max(0, cost)),
    inPlace: async (work) => {
      const done = await runInSlot(slots, userId, isBulk ? () => inBulk(work) : work);
      return done.ok ? done.value : done;
    },
  });
}
