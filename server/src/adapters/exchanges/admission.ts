import type { BudgetUse, VenueLimits } from '../../features/market/gateway/wire.ts';
import { readPriority } from '../../platform/readPriority.ts';
import { Budget, HELD_MAX_PER_OWNER, type Slot } from './budget.ts';
import type { Call } from './transport.ts';
import type { Clock } from './clock.ts';
import type { BanReason, Guard } from './guard.ts';
import type { CountedSpan, VenueRules } from './rules.ts';
import { cancelled, regionRejection, UpstreamError } from './upstreamError.ts';

export interface Admission {
  /** Resolves when the request may be sent. @throws UpstreamError when that is after the call's deadline */
  admit: (url: URL, call: Call) => Promise<void>;
  /** Applies the usage the exchange reports, and the limits it states in a response. */
  learn: (response: { headers: Headers; body: unknown }, url: URL, counted: CountedSpan) => void;
  /** Use of each budget now. */
  budgets: () => BudgetUse[];
  /** Use with the ages of its requests. */
  limits: () => VenueLimits['budgets'];
  /** Counts what another process had used `ageMs` ago. */
  assume: (uses: VenueLimits['budgets'], ageMs: number) => void;
}

/** Poll interval of waiting requests: the wait changes when others join or leave. */
const lookEveryMs = 1000;
/** Time for the request itself, ms: a slot that is due closer to the caller's deadline is too late. */
export const TRIP_MS = 2000;
/** The slot of a rejected request that will be retried is held this long beyond its due time. */
const holdMs = 5000;

const usedUp = (name: string, waitMs: number): UpstreamError =>
  new UpstreamError('budgetUsed', `The queue for ${name} is full. Try again in ${Math.ceil(waitMs / 1000)} s.`, waitMs);

const tooManyHeld = (name: string, waitMs: number): UpstreamError =>
  new UpstreamError(
    'tooManyHeld',
    `${HELD_MAX_PER_OWNER} of your requests are queued for ${name}. Repeat those first. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    waitMs,
  );

function banError(name: string, why: BanReason, leftMs: number): UpstreamError {
  if (why === 'region') return regionRejection(name, leftMs);
  const message = `${name} limits our requests. Try again in ${Math.ceil(leftMs / 1000)} s.`;
  return new UpstreamError('rateLimited', message, leftMs);
}

/** Admits requests to one exchange: checks bans and breaker, waits for the weight budget, then checks bans again. */
export function createAdmission(rules: VenueRules, guard: Guard, clock: Clock): Admission {
  const budgets = new Map(Object.entries(rules.budgets).map(([name, limit]) => [name, new Budget(limit)]));

  function checkGuard(): void {
    const admission = guard.admit();
    if (admission.admitted) return;
    const { why, retryAfterMs } = admission;
    if (why === 'banned') throw banned(retryAfterMs);
    const seconds = Math.ceil(retryAfterMs / 1000);
    throw new UpstreamError('unavailable', `${rules.name} keeps failing. Try again in ${seconds} s.`, retryAfterMs);
  }

  const banned = (leftMs: number): UpstreamError => banError(rules.name, guard.banReason(), leftMs);

  /** Waits for the slot. @throws UpstreamError when the slot is due after the caller's deadline or patience */
  async function waitFor(slot: Slot, budget: Budget, call: Call): Promise<void> {
    const { patienceMs, heldFor } = readPriority();
    const latestMs = Math.min(call.deadlineMs - TRIP_MS, clock.now() + patienceMs);
    for (;;) {
      const nowMs = clock.now();
      const waitMs = budget.depart(slot, nowMs);
      if (waitMs <= 0) return;
      if (nowMs + waitMs >= latestMs) {
        // Reject immediately instead of waiting for a deadline that cannot be met.
        const isHeld = heldFor === null || budget.hold(slot, heldFor, nowMs + waitMs + holdMs, nowMs);
        throw isHeld ? usedUp(rules.name, waitMs) : tooManyHeld(rules.name, waitMs);
      }
      await clock.sleep(Math.min(waitMs, lookEveryMs), call.signal).catch(() => {
        throw cancelled(rules.name);
      });
      const left = guard.banLeftMs();
      if (left > 0) throw banned(left);
    }
  }

  return {
    async admit(url, call) {
      checkGuard();
      const { budget: name, cost } = rules.cost(url.pathname, url.searchParams);
      const budget = budgets.get(name);
      if (budget === undefined) throw new TypeError(`${rules.exchange} has no budget ${name}`);
      const slot = budget.join({ cost, priority: readPriority(), key: url.href }, clock.now());
      try {
        await waitFor(slot, budget, call);
      } catch (error) {
        if (slot.held === undefined) budget.leave(slot);
        throw error;
      }
    },
    learn({ headers, body }, url, counted) {
      const usage = rules.usage?.({ headers, body }, url.pathname, counted);
      if (usage !== undefined) budgets.get(usage.budget)?.observe(usage.used, usage.sinceMs, counted.nowMs);
      for (const [name, capacity] of Object.entries(rules.statedLimits?.(url.pathname, body) ?? {}))
        budgets.get(name)?.setCapacity(capacity);
    },
    limits: () =>
      [...budgets].map(([name, budget]) => ({ name, ...budget.use(clock.now()), spent: budget.recent(clock.now()) })),
    assume(uses, ageMs) {
      for (const { name, spent } of uses) budgets.get(name)?.assume(spent, clock.now() - ageMs);
    },
    budgets: () => [...budgets].map(([name, budget]) => ({ name, ...budget.use(clock.now()) })),
  };
}
