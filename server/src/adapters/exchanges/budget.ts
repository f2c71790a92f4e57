export interface BudgetLimit {
  /** Most cost in any span of `windowMs`. */
  capacity: number;
  windowMs: number;
}

export interface Budget {
  /** Earliest time, not before `nowMs` and not before anything already booked, at which `cost` fits. */
  earliest(cost: number, nowMs: number): number;
  /** Books `cost` at a time `earliest` gave. */
  book(cost: number, atMs: number): void;
  /**
   * Milliseconds that a request which wakes now must still wait; 0 counts it as sent now. A timer that fires late, on a busy machine, would
   * otherwise send its request together with those that were booked for the next window.
   */
  depart(cost: number, nowMs: number): number;
  /** The exchange says that `used` was spent since `sinceMs`: what others at our address spent is booked too. */
  observe(used: number, sinceMs: number, nowMs: number): void;
}

/**
 * A sliding window: stricter than the fixed windows the exchanges count in, so it holds wherever theirs begin. Booking ahead
 * instead of queueing makes the wait known before it starts, and keeps first come, first served.
 */
export function createBudget({ capacity, windowMs }: BudgetLimit): Budget {
  let booked: { atMs: number; cost: number }[] = [];
  /** What was really sent, by the time it was sent. */
  let sent: { atMs: number; cost: number }[] = [];

  function earliest(cost: number, nowMs: number): number {
    booked = booked.filter(({ atMs }) => atMs > nowMs - windowMs);
    let start = Math.max(nowMs, booked.at(-1)?.atMs ?? 0);
    let used = booked.reduce((sum, each) => sum + (each.atMs > start - windowMs ? each.cost : 0), 0);
    for (const { atMs, cost: freed } of booked) {
      if (used + cost <= capacity) break;
      if (atMs <= start - windowMs) continue;
      start = Math.max(start, atMs + windowMs);
      used -= freed;
    }
    return start;
  }

  return {
    earliest,
    book: (cost, atMs) => booked.push({ atMs, cost }),
    depart(cost, nowMs) {
      sent = sent.filter(({ atMs }) => atMs > nowMs - windowMs);
      let used = sent.reduce((sum, each) => sum + each.cost, 0);
      for (const { atMs, cost: freed } of sent) {
        if (used + cost <= capacity) break;
        used -= freed;
        if (used + cost <= capacity) return atMs + windowMs - nowMs;
      }
      sent.push({ atMs: nowMs, cost });
      return 0;
    },
    observe(used, sinceMs, nowMs) {
      const ours = booked.reduce((sum, { atMs, cost }) => sum + (atMs >= sinceMs && atMs <= nowMs ? cost : 0), 0);
      if (used <= ours) return;
      booked.push({ atMs: nowMs, cost: used - ours });
      // Bookings ahead of now stay last, or `earliest` would book before them.
      booked.sort((a, b) => a.atMs - b.atMs);
    },
  };
}
