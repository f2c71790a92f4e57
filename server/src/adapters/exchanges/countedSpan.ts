import { CLOCK_DEGRADED_MS, type ClockOffset } from '../../platform/clockOffset.ts';
import type { CountedSpan } from './rules.ts';

/** Before an exchange has stated its time. */
const unknownOffset: ClockOffset = { offsetMs: 0, errorMs: CLOCK_DEGRADED_MS };

/** When an exchange counted a request that was sent and responded at these times of our clock, epoch ms. */
export const countedSpan = (
  { sentAtMs, receivedAtMs }: { sentAtMs: number; receivedAtMs: number },
  { offsetMs, errorMs }: ClockOffset = unknownOffset,
): CountedSpan => ({
  nowMs: receivedAtMs,
  fromMs: sentAtMs + offsetMs - errorMs,
  toMs: receivedAtMs + offsetMs + errorMs,
  oursMs: -offsetMs - errorMs,
});
