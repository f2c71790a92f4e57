import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { ReadPriority } from '../../platform/readPriority.ts';
import type { SpentCost } from '../../features/market/gateway/wire.ts';

export interface BudgetLimit {
  /** Most cost in any span of `windowMs`. */
  capacity: number;
  windowMs: number;
}

/** A queued request. */
export interface Slot {
  readonly cost: number;
  priority: Pick<ReadPriority, 'isBackground' | 'isBulk'>;
  /** Identifies the request, so that its retry gets the same slot. */
  readonly key: string;
  /** Set while the slot of a rejected request is held for its retry, until an epoch ms; undefined while the request waits. */
  held?: { untilMs: number; owner: string };
}

interface Sent {
  atMs: number;
  cost: number;
}

/** Ages are rounded down: a request counts for a moment too long rather than too short. */
const AGE_STEP_MS = 1000;

interface Plan {
  at: Map<Slot, number>;
  /** Epoch ms when the first held slot expires. */
  untilMs: number;
  /** Sum of the ranks in the queue; a change means that a request was moved to the front. */
  rankSum: number;
}

/** Sent first: single reads of users, then those of scans, then background reads. */
function rankOf({ priority }: Slot): number {
  if (priority.isBackground) return 0;
  return priority.isBulk ? 1 : 2;
}

/**
 * Most of the budget of a minute or longer that scans and background reads use: a page that is opened meanwhile must not wait for the
 * next window. In windows of seconds it waits seconds.
 */
const BULK_SHARE = 0.85;

/** Maximum of held slots; beyond it a retried request joins the end of the queue. */
const heldMax = 200;
/** Held slots of one owner: a caller that never retries cannot block the others. Pages of the app need fewer. */
export const HELD_MAX_PER_OWNER = 10;

/**
 * A sliding window: stricter than the exchanges' fixed windows, so it holds wherever those start. Requests wait in one queue, single
 * reads of users before those of scans before background reads, first come first served within each group. Cost is counted when the request is sent: a timer that
 * fires late on a busy machine cannot push requests into the next window.
 */
export class Budget {
  #capacity: number;
  readonly #windowMs: number;
  /** Ordered by send time. */
  #sent: Sent[] = [];
  #queue: Slot[] = [];
  /** The last plan; undefined once the queue or the limit changed. */
  #planned: Plan | undefined;

  constructor({ capacity, windowMs }: BudgetLimit) {
    this.#capacity = capacity;
    this.#windowMs = windowMs;
  }

  /** Joins the queue, at the slot held for the same request if there is one. */
  join(request: Pick<Slot, 'cost' | 'priority' | 'key'>, nowMs: number): Slot {
    this.#planned = undefined;
    const held = this.#queue.find(
      (slot) => slot.key === request.key && slot.held !== undefined && slot.held.untilMs > nowMs,
    );
    if (held !== undefined) {
      delete held.held;
      // Another caller may have requested it, and joins change the priority of this one.
      held.priority = request.priority;
      return held;
    }
    const slot: Slot = { ...request };
    this.#queue.push(slot);
    return slot;
  }

  /** Leaves the queue without sending. */
  leave(slot: Slot): void {
    this.#planned = undefined;
    this.#remove(slot);
  }

  /**
   * Holds the slot of a request that will be retried.
   * @param owner account or address that retries it
   * @returns false when the owner has its share of held slots: the request leaves the queue
   */
  hold(slot: Slot, owner: string, untilMs: number, nowMs: number): boolean {
    this.#planned = undefined;
    const held = this.#queue.flatMap((each) => (each.held !== undefined && each.held.untilMs > nowMs ? each.held : []));
    const isShareUsed = held.filter((each) => each.owner === owner).length >= HELD_MAX_PER_OWNER;
    if (isShareUsed || held.length >= heldMax) this.leave(slot);
    else slot.held = { untilMs, owner };
    return !isShareUsed;
  }

  /**
   * Milliseconds the request must still wait; 0 counts it as sent now. Waits grow when a user's read passes a
   * background read and shrink when a request leaves: poll again.
   */
  depart(slot: Slot, nowMs: number): number {
    const atMs = this.#timeOf(slot, nowMs);
    if (atMs > nowMs) return atMs - nowMs;
    this.#remove(slot);
    if (this.#planned !== undefined) this.#planned.rankSum -= rankOf(slot);
    this.#sent.push({ atMs: nowMs, cost: slot.cost });
    return 0;
  }

  /** Applies the exchange's count of `used` since `sinceMs`, which includes other clients at our IP address. */
  observe(used: number, sinceMs: number, nowMs: number): void {
    const ours = this.#sent.reduce((sum, { atMs, cost }) => sum + (atMs >= sinceMs && atMs <= nowMs ? cost : 0), 0);
    if (used <= ours) return;
    this.#planned = undefined;
    this.#sent.push({ atMs: nowMs, cost: used - ours });
  }

  /** The same costs by their age, for the process that requests next. */
  recent(nowMs: number): SpentCost[] {
    const byAge = new Map<number, number>();
    for (const { atMs, cost } of this.#sent) {
      const ageMs = Math.floor((nowMs - atMs) / AGE_STEP_MS) * AGE_STEP_MS;
      if (ageMs < this.#windowMs) byAge.set(ageMs, (byAge.get(ageMs) ?? 0) + cost);
    }
    return [...byAge].map(([ageMs, cost]) => ({ ageMs: Math.max(0, ageMs), cost }));
  }

  /** Counts what another process spent before this one. */
  assume(spent: readonly SpentCost[], nowMs: number): void {
    this.#planned = undefined;
    const before = spent.map(({ ageMs, cost }) => ({ atMs: nowMs - ageMs, cost }));
    this.#sent = [...before, ...this.#sent].sort((a, b) => a.atMs - b.atMs);
  }

  /** Cost within the window that ends now, and its limit. */
  use(nowMs: number): { used: number; capacity: number } {
    const fromMs = nowMs - this.#windowMs;
    const used = this.#sent.reduce((sum, { atMs, cost }) => sum + (atMs > fromMs ? cost : 0), 0);
    return { used, capacity: this.#capacity };
  }

  /** Applies a limit the exchange stated. */
  setCapacity(capacity: number): void {
    this.#planned = undefined;
    this.#capacity = capacity;
  }

  #remove(slot: Slot): void {
    this.#queue = this.#queue.filter((each) => each !== slot);
  }

  #rankSum(): number {
    return this.#queue.reduce((sum, slot) => sum + rankOf(slot), 0);
  }

  /** Cost within one window up to which the request may be sent. */
  #limitOf(slot: Slot): number {
    if (rankOf(slot) === 2 || this.#windowMs < MINUTE_MS) return this.#capacity;
    return Math.max(slot.cost, Math.floor(this.#capacity * BULK_SHARE));
  }

  /** Epoch ms when the slot can be sent. A cached plan stays valid while requests are sent on schedule. */
  #timeOf(slot: Slot, nowMs: number): number {
    const stored = this.#planned;
    const isStored = stored !== undefined && nowMs < stored.untilMs && stored.rankSum === this.#rankSum();
    const storedMs = isStored ? stored.at.get(slot) : undefined;
    if (storedMs !== undefined && storedMs >= nowMs) return storedMs;
    this.#planned = this.#plan(nowMs);
    return this.#planned.at.get(slot) ?? nowMs;
  }

  /** Send time of each queued request, assuming none joins or leaves. */
  #plan(nowMs: number): Plan {
    this.#sent = this.#sent.filter(({ atMs }) => atMs > nowMs - this.#windowMs);
    this.#queue = this.#queue.filter(({ held }) => held === undefined || held.untilMs > nowMs);
    const at = new Map<Slot, number>();
    const booked = [...this.#sent];
    let used = booked.reduce((sum, { cost }) => sum + cost, 0);
    let first = 0;
    let startMs = nowMs;
    const ordered = [2, 1, 0].flatMap((rank) => this.#queue.filter((slot) => rankOf(slot) === rank));
    for (const slot of ordered) {
      const limit = this.#limitOf(slot);
      for (let head = booked[first]; head !== undefined; head = booked[first]) {
        const isOver = head.atMs <= startMs - this.#windowMs;
        if (!isOver && used + slot.cost <= limit) break;
        startMs = Math.max(startMs, head.atMs + this.#windowMs);
        used -= head.cost;
        first++;
      }
      at.set(slot, startMs);
      booked.push({ atMs: startMs, cost: slot.cost });
      used += slot.cost;
    }
    const untilMs = Math.min(...this.#queue.map(({ held }) => held?.untilMs ?? Infinity));
    return { at, untilMs, rankSum: this.#rankSum() };
  }
}
