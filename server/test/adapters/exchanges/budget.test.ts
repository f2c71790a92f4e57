import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget, HELD_MAX_PER_OWNER, type Slot } from '../../../src/adapters/exchanges/budget.ts';

const user = { isBackground: false, isBulk: false };
const scan = { isBackground: false, isBulk: true };
const warming = { isBackground: true, isBulk: false };
let count = 0;
const join = (budget: Budget, cost: number, nowMs: number, priority = user, key = `request ${(count += 1)}`): Slot =>
  budget.join({ cost, priority, key }, nowMs);

/** When a request that joins now could be sent; it leaves the queue again. */
function earliest(budget: Budget, cost: number, nowMs: number): number {
  // The budget is used up, so this call does not send it.
  const slot = join(budget, cost, nowMs);
  const waitMs = budget.depart(slot, nowMs);
  budget.leave(slot);
  return nowMs + waitMs;
}

describe('the budget of an exchange', () => {
  it('sends what fits and delays the rest until enough has left the window', () => {
    const budget = new Budget({ capacity: 10, windowMs: 1000 });
    expect(budget.depart(join(budget, 6, 5000), 5000)).toBe(0);
    expect(budget.depart(join(budget, 4, 5100), 5100)).toBe(0);
    // Full. One more waits until the six of 5000 leave, six more also until the four of 5100 leave.
    expect(budget.depart(join(budget, 1, 5200), 5200)).toBe(800);
    expect(budget.depart(join(budget, 6, 5200), 5200)).toBe(900);
  });

  it('is first come, first served among users', () => {
    const budget = new Budget({ capacity: 10, windowMs: 1000 });
    budget.depart(join(budget, 10, 5000), 5000);
    expect(budget.depart(join(budget, 8, 5001), 5001)).toBe(999);
    // Three more do not fit beside the eight of 6000.
    expect(budget.depart(join(budget, 3, 5002), 5002)).toBe(1998);
  });

  it("sends a user's read before earlier reads of warming", () => {
    const budget = new Budget({ capacity: 10, windowMs: 60_000 });
    budget.depart(join(budget, 10, 0), 0);
    const warm = [1, 2, 3].map(() => join(budget, 4, 1000, warming));
    expect(warm.map((slot) => budget.depart(slot, 1000))).toEqual([59_000, 59_000, 119_000]);
    const read = join(budget, 10, 2000);
    expect(budget.depart(read, 2000)).toBe(58_000);
    // Warming waits a minute longer, and none of its reads is lost.
    expect(warm.map((slot) => budget.depart(slot, 2000))).toEqual([118_000, 118_000, 178_000]);
    expect(budget.depart(read, 60_000)).toBe(0);
  });

  it('moves a read of warming to the front when a user joins it', () => {
    const budget = new Budget({ capacity: 5, windowMs: 60_000 });
    budget.depart(join(budget, 5, 0), 0);
    join(budget, 5, 1000, warming);
    const joined = { ...warming };
    const slot = join(budget, 5, 1000, joined);
    expect(budget.depart(slot, 1000)).toBe(119_000);
    joined.isBackground = false;
    expect(budget.depart(slot, 1000)).toBe(59_000);
  });

  it('NODE-201 leaves a share of each minute to single reads, which never wait for a scan', () => {
    const budget = new Budget({ capacity: 100, windowMs: 60_000 });
    const sent = (priority: typeof user, nowMs: number): number => {
      let count = 0;
      for (; ; count++) {
        const slot = join(budget, 5, nowMs, priority);
        if (budget.depart(slot, nowMs) === 0) continue;
        budget.leave(slot);
        return count;
      }
    };
    expect([sent(warming, 0), sent(scan, 0), sent(user, 0)]).toEqual([17, 0, 3]);
    // A minute later scans go before warming, and single reads may use all of it.
    const [warm, bulk, single] = [warming, scan, user].map((priority) => join(budget, 80, 1000, priority));
    expect([single, bulk, warm].map((slot) => budget.depart(slot!, 1000))).toEqual([59_000, 119_000, 179_000]);
  });

  it('NODE-201 sends a request that is larger than the share of scans, and all of a window of seconds', () => {
    const large = new Budget({ capacity: 40, windowMs: 60_000 });
    expect(large.depart(join(large, 40, 0, scan), 0)).toBe(0);
    const short = new Budget({ capacity: 10, windowMs: 2000 });
    expect([5, 5].map((cost) => short.depart(join(short, cost, 0, warming), 0))).toEqual([0, 0]);
  });

  it('frees the slot of a cancelled request', () => {
    const budget = new Budget({ capacity: 5, windowMs: 60_000 });
    budget.depart(join(budget, 5, 0), 0);
    const first = join(budget, 5, 1000);
    const second = join(budget, 5, 1000);
    expect(budget.depart(second, 1000)).toBe(119_000);
    budget.leave(first);
    expect(budget.depart(second, 1000)).toBe(59_000);
  });

  it('holds the slot of a rejected request for its retry, and no longer', () => {
    const budget = new Budget({ capacity: 5, windowMs: 60_000 });
    budget.depart(join(budget, 5, 0), 0);
    const rejected = join(budget, 5, 1000, user, 'BTCUSDT');
    budget.hold(rejected, 'anna', 65_000, 1000);
    const later = join(budget, 5, 2000, user, 'ETHUSDT');
    expect(budget.depart(later, 60_000)).toBe(60_000);
    const repeated = join(budget, 5, 60_000, user, 'BTCUSDT');
    expect(budget.depart(repeated, 60_000)).toBe(0);

    const left = new Budget({ capacity: 5, windowMs: 60_000 });
    left.depart(join(left, 5, 0), 0);
    left.hold(join(left, 5, 1000, user, 'BTCUSDT'), 'anna', 65_000, 1000);
    const next = join(left, 5, 2000);
    expect(left.depart(next, 65_000)).toBe(0);
  });

  it('holds a few slots of one caller at most: another caller waits behind those and no more', () => {
    const budget = new Budget({ capacity: 1, windowMs: 1000 });
    budget.depart(join(budget, 1, 0), 0);
    const hold = (owner: string, nowMs = 0) => budget.hold(join(budget, 1, nowMs), owner, 60_000, nowMs);
    const held = Array.from({ length: 200 }, () => hold('anna'));
    expect(held.filter((isHeld) => isHeld)).toHaveLength(HELD_MAX_PER_OWNER);
    expect(hold('bert')).toBe(true);
    // One was sent, ten of Anna and one of Bert wait: the next is the thirteenth, and one leaves a second.
    expect(earliest(budget, 1, 0)).toBe((1 + HELD_MAX_PER_OWNER + 1) * 1000);
    // Those that expired count no more.
    expect(hold('anna', 60_000)).toBe(true);
  });

  it('counts what the exchange counted beyond ours: another client uses the same address', () => {
    const budget = new Budget({ capacity: 100, windowMs: 60_000 });
    budget.depart(join(budget, 20, 120_000), 120_000);
    budget.observe(95, 120_000, 121_000);
    expect(earliest(budget, 10, 122_000)).toBe(180_000);
    budget.observe(40, 120_000, 123_000);
    expect(budget.depart(join(budget, 5, 123_000), 123_000)).toBe(0);
  });

  it('applies a limit that the exchange states', () => {
    const budget = new Budget({ capacity: 10, windowMs: 60_000 });
    budget.depart(join(budget, 10, 0), 0);
    const slot = join(budget, 10, 1000);
    expect(budget.depart(slot, 1000)).toBe(59_000);
    budget.setCapacity(20);
    expect(budget.depart(slot, 1000)).toBe(0);
  });

  it('never spends more than its capacity in any window, whatever is sent when', () => {
    const arrivals = fc.array(
      fc.record({
        cost: fc.integer({ min: 1, max: 10 }),
        waitMs: fc.integer({ min: 0, max: 700 }),
        priority: fc.constantFrom(user, scan, warming),
      }),
      { minLength: 20, maxLength: 100, size: 'max' },
    );
    fc.assert(
      fc.property(arrivals, (requests) => {
        const [capacity, windowMs] = [24, 2000];
        const budget = new Budget({ capacity, windowMs });
        const spent: { atMs: number; cost: number }[] = [];
        let waiting: Slot[] = [];
        let nowMs = 1_000_000;
        const look = (): void => {
          waiting = waiting.filter((slot) => {
            if (budget.depart(slot, nowMs) > 0) return true;
            spent.push({ atMs: nowMs, cost: slot.cost });
            return false;
          });
        };
        for (const { cost, waitMs, priority } of requests) {
          nowMs += waitMs;
          waiting.push(join(budget, cost, nowMs, priority));
          look();
        }
        for (let turn = 0; waiting.length > 0 && turn < 2000; turn++) {
          nowMs += 100;
          look();
        }
        expect(spent).toHaveLength(requests.length);
        for (const { atMs: end } of spent) {
          const within = spent.filter(({ atMs }) => atMs > end - windowMs && atMs <= end);
          expect(within.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(capacity);
        }
      }),
      { numRuns: 60, seed: 41 },
    );
  });
});
