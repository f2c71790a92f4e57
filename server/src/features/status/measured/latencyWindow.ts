import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';

/** Response times of the last hour, in memory: counts per bucket and minute, so that memory is independent of the number of requests. */
export interface LatencyWindow {
  record: (elapsedMs: number) => void;
  read: () => LatencyReading;
}

export interface LatencyReading {
  /** Responses in the window. */
  count: number;
  /** Median and 95th percentile of the response times, ms; up to 5 % too high, never too low. Null without responses. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export const windowMinutes = 60;
/** Buckets grow by 5 %: from a twentieth of a millisecond to over a minute. */
const firstMs = 0.05;
const growth = 1.05;
const bucketCount = 290;

const bucketOf = (elapsedMs: number): number =>
  Math.min(bucketCount - 1, Math.max(0, Math.ceil(Math.log(elapsedMs / firstMs) / Math.log(growth))));
const upperMs = (bucket: number): number => firstMs * growth ** bucket;

/** @param now epoch ms */
export function createLatencyWindow(now: () => number): LatencyWindow {
  const slots = Array.from({ length: windowMinutes }, () => ({ minute: -1, counts: new Uint32Array(bucketCount) }));
  const minuteNow = (): number => Math.floor(now() / MINUTE_MS);

  return {
    record(elapsedMs) {
      const minute = minuteNow();
      const slot = slots[minute % windowMinutes];
      if (slot === undefined) return;
      if (slot.minute !== minute) {
        slot.minute = minute;
        slot.counts.fill(0);
      }
      const bucket = bucketOf(elapsedMs);
      slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1;
    },
    read() {
      const oldest = minuteNow() - windowMinutes + 1;
      const total = new Float64Array(bucketCount);
      for (const { minute, counts } of slots) {
        if (minute >= oldest) counts.forEach((count, bucket) => (total[bucket] = (total[bucket] ?? 0) + count));
      }
      const count = total.reduce((sum, each) => sum + each, 0);
      return { count, p50Ms: quantileMs(total, count, 0.5), p95Ms: quantileMs(total, count, 0.95) };
    },
  };
}

/** Upper end of the bucket that contains the response of that rank (nearest rank). */
function quantileMs(total: Float64Array, count: number, quantile: number): number | null {
  if (count === 0) return null;
  const rank = Math.ceil(quantile * count);
  let seen = 0;
  const bucket = total.findIndex((each) => (seen += each) >= rank);
  return upperMs(bucket);
}
