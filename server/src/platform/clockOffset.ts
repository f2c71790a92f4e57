/** Difference of another clock to that of this node. */
export interface ClockOffset {
  /** Milliseconds that the other clock is ahead; negative when it is behind. */
  offsetMs: number;
  /** Largest error of the offset: half of the round trip, and the resolution of the other clock. */
  errorMs: number;
}

/** One reading of another clock between two readings of this node's, epoch ms. */
interface Reading {
  sentAtMs: number;
  receivedAtMs: number;
  theirsMs: number;
  /** Resolution of the other clock. */
  errorMs?: number;
}

/** The other clock was read at some moment between request and response: the middle is at most half of the round trip wrong. */
export function offsetOf({ sentAtMs, receivedAtMs, theirsMs, errorMs = 0 }: Reading): ClockOffset {
  const offsetMs = theirsMs - (sentAtMs + receivedAtMs) / 2;
  return { offsetMs, errorMs: errorMs + Math.max(0, receivedAtMs - sentAtMs) / 2 };
}

/** The smallest difference that the reading proves, ms, never negative: a slow response proves little. */
export const provenMs = ({ offsetMs, errorMs }: ClockOffset): number => Math.max(0, Math.abs(offsetMs) - errorMs);

/** A clock that is further off than this makes a node degraded. */
export const CLOCK_DEGRADED_MS = 2000;
/** A node whose clock is further off than this takes no requests and does not lead. */
export const CLOCK_OUT_MS = 30_000;
/** A clock near a bound must not change the state at each measurement: a node returns only below these. */
export const CLOCK_OK_AGAIN_MS = 1500;
const CLOCK_IN_AGAIN_MS = 20_000;

/**
 * Whether a clock is too far off for a node to serve. It is out when a reading proves that, and in again when a reading proves the opposite:
 * a slow response proves neither.
 * @param wasOut by the reading before
 */
export const isOut = (offset: ClockOffset, wasOut: boolean): boolean =>
  wasOut ? Math.abs(offset.offsetMs) + offset.errorMs > CLOCK_IN_AGAIN_MS : provenMs(offset) > CLOCK_OUT_MS;
