/** A `Date` header has whole seconds: it was written within the second that follows. */
const HEADER_STEP_MS = 1000;

interface Exchange {
  /** Time of the request by the same clock as `nowMs`. */
  sentMs: number;
  receivedMs: number;
}

interface Clock {
  /** Uses the `Date` header of a response. */
  note: (dateHeader: string | null, exchange: Exchange) => void;
  /** Server time, epoch ms; local time until the first response. */
  now: () => number;
}

/**
 * Server time, from the `Date` headers of its responses. Each response bounds the difference between the two clocks; several narrow it. A
 * response outside the bounds (a clock was set) resets them.
 * @param nowMs a monotonic clock such as performance.now
 */
export function createServerClock(nowMs: () => number, localMs: () => number): Clock {
  let bounds: { low: number; high: number } | null = null;
  return {
    note: (dateHeader, { sentMs, receivedMs }) => {
      const date = Date.parse(dateHeader ?? '');
      if (Number.isNaN(date)) return;
      const low = date - receivedMs;
      const high = date + HEADER_STEP_MS - sentMs;
      const joined = { low: Math.max(low, bounds?.low ?? low), high: Math.min(high, bounds?.high ?? high) };
      bounds = joined.low <= joined.high ? joined : { low, high };
    },
    now: () => (bounds === null ? localMs() : nowMs() + (bounds.low + bounds.high) / 2),
  };
}

export const serverClock = createServerClock(
  () => performance.now(),
  () => Date.now(),
);
