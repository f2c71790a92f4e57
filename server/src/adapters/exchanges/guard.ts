import type { VenueState } from '../../features/market/port.ts';
import type { Clock } from './clock.ts';

export type Admission = { admitted: true } | { admitted: false; why: 'banned' | 'broken'; retryAfterMs: number };

/** `region`: the exchange does not serve our region. Waiting does not help, so callers get a different error. */
export type BanReason = 'slowDown' | 'region';

/** Bans and circuit breaker of one exchange. */
export interface Guard {
  admit: () => Admission;
  succeeded: () => void;
  failed: () => void;
  /** The request ended without information about the exchange, e.g. its caller left. */
  abandoned: () => void;
  /** Blocks all requests until then; a later ban never shortens an earlier one. */
  ban: (untilMs: number, why?: BanReason) => void;
  /** Remaining ban, for bans that started while a request waited. */
  banLeftMs: () => number;
  banReason: () => BanReason;
  state: () => VenueState;
}

const failuresToOpen = 5;
const failureWindowMs = 30_000;
const probeEveryMs = 10_000;

/**
 * Bans are obeyed to the millisecond: requests during a ban extend it, up to three days. The breaker opens after five failures
 * within 30 s and lets one probe through every 10 s, so that callers do not wait for a broken exchange.
 */
export function createGuard(clock: Pick<Clock, 'now'>): Guard {
  let bannedUntilMs = 0;
  let reason: BanReason = 'slowDown';
  let failures: number[] = [];
  let isOpen = false;
  let nextProbeMs = 0;
  let hasResponded = false;

  const banLeftMs = (): number => Math.max(0, bannedUntilMs - clock.now());

  return {
    banLeftMs,
    admit() {
      const left = banLeftMs();
      if (left > 0) return { admitted: false, why: 'banned', retryAfterMs: left };
      if (!isOpen) return { admitted: true };
      const nowMs = clock.now();
      if (nowMs < nextProbeMs) return { admitted: false, why: 'broken', retryAfterMs: nextProbeMs - nowMs };
      nextProbeMs = nowMs + probeEveryMs;
      return { admitted: true };
    },
    succeeded() {
      hasResponded = true;
      isOpen = false;
      failures = [];
    },
    failed() {
      const nowMs = clock.now();
      hasResponded = true;
      failures = [...failures.filter((atMs) => atMs > nowMs - failureWindowMs), nowMs];
      if (isOpen || failures.length < failuresToOpen) return;
      isOpen = true;
      nextProbeMs = nowMs + probeEveryMs;
    },
    abandoned() {
      // A cancelled probe gives no information: the next caller may probe.
      if (isOpen) nextProbeMs = Math.min(nextProbeMs, clock.now());
    },
    ban(untilMs, why = 'slowDown') {
      if (untilMs <= bannedUntilMs) return;
      bannedUntilMs = untilMs;
      reason = why;
    },
    banReason: () => reason,
    state() {
      if (banLeftMs() > 0) return reason === 'region' ? 'regionBlocked' : 'banned';
      if (isOpen) return 'broken';
      return hasResponded ? 'ok' : 'unknown';
    },
  };
}
