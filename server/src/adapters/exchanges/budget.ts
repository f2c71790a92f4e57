import type { ReadPriority } from '../../platform/readPriority.ts';

export interface BudgetLimit {
  /** Most cost in any span of `windowMs`. */
  capacity: number;
  windowMs: number;
}

/** A request that waits until it fits. */
export interface Slot {
  readonly cost: number;
  readonly priority: Pick<ReadPriority, 'isBackground'>;
  /** Names the request, so that its repetition finds its slot. */
  readonly key: string;
  /** Epoch ms until which the slot of a request that was refused is held; undefined while the request waits. */
  heldUntilMs?: number;
}

interface Sent {
  atMs: number;
  cost: number;
}

interface Plan {
  at: Map<Slot, number>;
  /** When a slot that is held expires. */
  untilMs: number;
  /** Requests of users in the queue: another number means that one was moved to the front. */
  userCount: number;
}

/** Slots held at once: beyond it a repeated request joins the queue at its end. */
const heldMax = 200;

/**
 * A sliding window: stricter than the fixed windows the exchanges count in, so it holds wherever theirs begin. Requests wait in one queue,
 * those of users before those of the background, each group in order. What was sent is counted when it leaves: a timer that fires late, on
 * a busy machine, sends no request together with those of the next window.
 */
export class Budget {
  #capacity: number;
  readonly #windowMs: number;
  /** By the time it was sent. */
  #sent: Sent[] = [];
  #queue: Slot[] = [];
  /** The last plan, while nothing has happened that changes it. */
  #planned: Plan | undefined;

  constructor({ capacity, windowMs }: BudgetLimit) {
    this.#capacity = capacity;
    this.#windowMs = windowMs;
  }

  /** Joins the queue, at the slot that is held for the same request where there is one. */
  join(request: Pick<Slot, 'cost' | 'priority' | 'key'>, nowMs: number): Slot {
    this.#planned = undefined;
    const held = this.#queue.find(({ key, heldUntilMs = 0 }) => key === request.key && heldUntilMs > nowMs);
    if (held !== undefined) {
      delete held.heldUntilMs;
      return held;
    }
    const slot: Slot = { ...request };
    this.#queue.push(slot);
    return slot;
  }

  /** Leaves the queue without being sent. */
  leave(slot: Slot): void {
    this.#planned = undefined;
    this.#remove(slot);
  }

  /** Holds the slot of a request that will be repeated. */
  hold(slot: Slot, untilMs: number): void {
    this.#planned = undefined;
    if (this.#queue.filter(({ heldUntilMs }) => heldUntilMs !== undefined).length >= heldMax) this.leave(slot);
    else slot.heldUntilMs = untilMs;
  }

  /**
   * Milliseconds that the request must still wait; 0 counts it as sent now. Waits become longer when a user's read passes one of the
   * background, and shorter when a request leaves: ask again from time to time.
   */
  depart(slot: Slot, nowMs: number): number {
    const atMs = this.#timeOf(slot, nowMs);
    if (atMs > nowMs) return atMs - nowMs;
    this.#remove(slot);
    if (this.#planned !== undefined && !slot.priority.isBackground) this.#planned.userCount--;
    this.#sent.push({ atMs: nowMs, cost: slot.cost });
    return 0;
  }

  /** The exchange says that `used` was spent since `sinceMs`: what others at our address spent is counted too. */
  observe(used: number, sinceMs: number, nowMs: number): void {
    const ours = this.#sent.reduce((sum, { atMs, cost }) => sum + (atMs >= sinceMs && atMs <= nowMs ? cost : 0), 0);
    if (used <= ours) return;
    this.#planned = undefined;
    this.#sent.push({ atMs: nowMs, cost: used - ours });
  }

  /** The exchange states another limit. */
  setCapacity(capacity: number): void {
    this.#planned = undefined;
    this.#capacity = capacity;
  }

  #remove(slot: Slot): void {
    this.#queue = this.#queue.filter((each) => each !== slot);
  }

  #countUsers(): number {
    return this.#queue.reduce((sum, { priority }) => sum + (priority.isBackground ? 0 : 1), 0);
  }

  /** When the slot can be sent. A cached plan stays valid while requests are sent at its times. */
  #timeOf(slot: Slot, nowMs: number): number {
    const kept = this.#planned;
    const isKept = kept !== undefined && nowMs < kept.untilMs && kept.userCount === this.#countUsers();
    const keptMs = isKept ? kept.at.get(slot) : undefined;
    if (keptMs !== undefined && keptMs >= nowMs) return keptMs;
    this.#planned = this.#plan(nowMs);
    return this.#planned.at.get(slot) ?? nowMs;
  }

  /** When each request of the queue can be sent, were none to join or leave. */
  #plan(nowMs: number): Plan {
    this.#sent = this.#sent.filter(({ atMs }) => atMs > nowMs - this.#windowMs);
    this.#queue = this.#queue.filter(({ heldUntilMs = Infinity }) => heldUntilMs > nowMs);
    const at = new Map<Slot, number>();
    const booked = [...this.#sent];
    let used = booked.reduce((sum, { cost }) => sum + cost, 0);
    let first = 0;
    let startMs = nowMs;
    const isUsers = ({ priority }: Slot): boolean => !priority.isBackground;
    const ordered = [...this.#queue.filter(isUsers), ...this.#queue.filter((slot) => !isUsers(slot))];
    for (const slot of ordered) {
      for (let head = booked[first]; head !== undefined; head = booked[first]) {
        const isOver = head.atMs <= startMs - this.#windowMs;
        if (!isOver && used + slot.cost <= this.#capacity) break;
        startMs = Math.max(startMs, head.atMs + this.#windowMs);
        used -= head.cost;
        first++;
      }
      at.set(slot, startMs);
      booked.push({ atMs: startMs, cost: slot.cost });
      used += slot.cost;
    }
    const untilMs = Math.min(...this.#queue.map(({ heldUntilMs = Infinity }) => heldUntilMs));
    return { at, untilMs, userCount: this.#countUsers() };
  }
}
