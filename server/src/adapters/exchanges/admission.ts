import { createBudget } from './budget.ts';
import type { Call } from './transport.ts';
import type { Clock } from './clock.ts';
import type { Guard } from './guard.ts';
import type { VenueRules } from './rules.ts';
import { cancelled, regionRefusal, UpstreamError } from './upstreamError.ts';

export interface Admission {
  /** Resolves when the request may be sent. @throws UpstreamError when it may not be before the call's deadline */
  admit: (url: URL, call: Call) => Promise<void>;
  /** Takes the exchange's own count into account. */
  learn: (headers: Headers) => void;
}

/** The door in front of one exchange: bans and breaker first, then the weight budget, then bans again after the wait. */
export function createAdmission(rules: VenueRules, guard: Guard, clock: Clock): Admission {
  const budgets = new Map(Object.entries(rules.budgets).map(([name, limit]) => [name, createBudget(limit)]));

  function checkGuard(): void {
    const admission = guard.admit();
    if (admission.admitted) return;
    const { why, retryAfterMs } = admission;
    if (why === 'banned') throw banned(retryAfterMs);
    const seconds = Math.ceil(retryAfterMs / 1000);
    throw new UpstreamError('unavailable', `${rules.name} keeps failing; next try in ${seconds} s.`, retryAfterMs);
  }

  function banned(leftMs: number): UpstreamError {
    if (guard.banReason() === 'region') return regionRefusal(rules.name, leftMs);
    return new UpstreamError('rateLimited', `${rules.name} asked us to wait ${Math.ceil(leftMs / 1000)} s.`, leftMs);
  }

  const usedUp = (waitMs: number): UpstreamError =>
    new UpstreamError(
      'rateLimited',
      `Many requests to ${rules.name} are waiting; next try in ${Math.ceil(waitMs / 1000)} s.`,
      waitMs,
    );

  return {
    async admit(url, call) {
      checkGuard();
      const { budget: name, cost } = rules.cost(url.pathname, url.searchParams);
      const budget = budgets.get(name);
      if (budget === undefined) throw new TypeError(`${rules.exchange} has no budget ${name}`);
      const nowMs = clock.now();
      const startMs = budget.earliest(cost, nowMs);
      if (startMs >= call.deadlineMs) {
        // Refuse at once: the request would only wait until its deadline.
        throw usedUp(startMs - nowMs);
      }
      budget.book(cost, startMs);
      let waitMs = startMs - nowMs;
      if (waitMs <= 0) waitMs = budget.depart(cost, nowMs);
      while (waitMs > 0) {
        await clock.sleep(waitMs, call.signal).catch(() => {
          throw cancelled(rules.name);
        });
        const left = guard.banLeftMs();
        if (left > 0) throw banned(left);
        waitMs = budget.depart(cost, clock.now());
        if (waitMs > 0 && clock.now() + waitMs >= call.deadlineMs) throw usedUp(waitMs);
      }
    },
    learn(headers) {
      const used = rules.usedThisMinute?.(headers);
      const nowMs = clock.now();
      if (used !== undefined) budgets.get('weight')?.observe(used, Math.floor(nowMs / 60_000) * 60_000, nowMs);
    },
  };
}
