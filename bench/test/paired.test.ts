import { describe, expect, it } from 'vitest';
import { inProcess, inTurn, oneOf, paired, type Contestant } from '../src/paired.ts';

/** A machine that exists only on paper: time moves when an operation says so, and everything slows down over time. */
function paperMachine(driftPerBlock = 0) {
  let blocks = 0;
  const order: string[] = [];
  const contestant = (name: string, operationNs: number): Contestant => ({
    block(count) {
      order.push(name);
      return count * operationNs * (1 + driftPerBlock * blocks++);
    },
  });
  return { contestant, order };
}

describe('paired', () => {
  it('says how many times longer the other side takes', async () => {
    const { contestant } = paperMachine();
    const { ratio, margin, oursNs, theirsNs } = await paired(contestant('a', 1000), contestant('b', 2500));
    expect(ratio).toBe(2.5);
    expect(margin).toBe(0);
    expect([oursNs, theirsNs]).toEqual([1000, 2500]);
  });

  it('measures a thing against itself as 1', async () => {
    const { contestant } = paperMachine();
    expect((await paired(contestant('a', 777), contestant('b', 777))).ratio).toBe(1);
  });

  it('still finds the ratio on a machine that slows down tenfold during the run', async () => {
    const { contestant } = paperMachine(0.05);
    const { ratio } = await paired(contestant('a', 100_000), contestant('b', 300_000));
    expect(Math.abs(ratio - 3)).toBeLessThan(0.03);
  });

  it('alternates ABBA, so that neither side always goes first', async () => {
    const { contestant, order } = paperMachine();
    await paired(contestant('a', 100_000_000), contestant('b', 100_000_000), { pairsMin: 4, budgetMs: 1 });
    expect(order.join('').replace(/^a+b+/, '')).toBe('abbaabba');
  });

  it('gives each side a block of about the same time, however much they differ', async () => {
    const counts: Record<string, number> = {};
    const side = (name: string, operationNs: number): Contestant => ({
      block(count) {
        counts[name] = count;
        return count * operationNs;
      },
    });
    await paired(side('a', 10_000), side('b', 2_000_000), { blockMs: 2 });
    expect(counts).toEqual({ a: 200, b: 1 });
  });

  it('waits for a side that responds later, as another process does', async () => {
    const { contestant } = paperMachine();
    const slow = contestant('b', 4000);
    const elsewhere: Contestant = { block: async (count) => Promise.resolve(slow.block(count)) };
    expect((await paired(contestant('a', 1000), elsewhere)).ratio).toBe(4);
  });

  it('widens the margin when the pairs disagree', async () => {
    let i = 0;
    const steady: Contestant = { block: (count) => count * 1e6 };
    const moody: Contestant = { block: (count) => count * 1e6 * (i++ % 3 === 0 ? 1.4 : 1) * (i % 5 === 0 ? 1.8 : 1) };
    const { ratio, low, high, margin } = await paired(steady, moody, { pairsMin: 30 });
    expect(low).toBeLessThanOrEqual(ratio);
    expect(high).toBeGreaterThanOrEqual(ratio);
    expect(margin).toBeGreaterThan(0.01);
  });
});

describe('inProcess', () => {
  it('counts the time between the calls of the clock and leaves out the call that warms the caches', () => {
    let now = 0;
    const contestant = inProcess(
      () => (now += 50),
      () => now,
    );
    expect(contestant.block(10)).toBe(500);
    expect(now).toBe(550);
  });
});

describe('oneOf', () => {
  it('reports a tenth of the time of ten times the work', async () => {
    const { contestant } = paperMachine();
    expect(await oneOf(10, contestant('a', 5000)).block(2)).toBe(1000);
  });
});

describe('inTurn', () => {
  it('takes one piece a call and starts again after the last', () => {
    const seen: number[] = [];
    const next = inTurn(3, (index) => seen.push(index));
    for (let i = 0; i < 5; i++) next();
    expect(seen).toEqual([0, 1, 2, 0, 1]);
  });
});
