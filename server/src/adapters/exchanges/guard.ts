import type { VenueState } from '../../features/market/port.ts';
import type { Clock } from './clock.ts';

export type Admission = { admitted: true } | { admitted: false; why: 'banned' | 'broken'; retryAfterMs: number };

/** An exchange that does not serve our region is not busy: waiting will not help, so its callers are told something else. */
export type BanReason = 'slowDown' | 'region';

/** Decides whether an exchange may be asked at all. */
export interface Guard {
  admit: () => Admission;
  succeeded: () => void;
  failed: () => void;
  /** The request ended without saying anything about the exchange, e.g. its caller left. */
  abandoned: () => void;
  /** No request at all until then; a later ban never shortens an earlier one. */
  ban: (untilMs: number, why?: BanReason) => void;
  /** A ban that began while a request waited for its turn. */
  banLeftMs: () => number;
  banReason: () => BanReason;
  state: () => VenueState;
}

const failuresToOpen = 5;
const failureWindowMs = 30_000;
const probeEveryMs = 10_000;

/**
 * A ban is obeyed to the millisecond: going on while banned makes it longer, up to three days. The breaker opens after five
 * failures within 30 s and lets one probe through every 10 s, so that a broken exchange costs its callers no waiting.
 */
export function createGuard(clock: Pick<Clock, 'now'>): Guard {
  let bannedUntilMs = 0;
  let reason: BanReason = 'slowDown';
  let failures: number[] = [];
  let isOpen = false;
  let nextProbeMs = 0;
  let hasAnswered = false;

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
      hasAnswered = true;
      isOpen = false;
      failures = [];
    },
    failed() {
      const nowMs = clock.now();
      hasAnswered = true;
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
      if (banLeftMs() > 0) return 'banned';
      if (isOpen) return 'broken';
      return hasAnswered ? 'ok' : 'unknown';
    },
  };
}
