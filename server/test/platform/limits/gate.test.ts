import { describe, expect, it } from 'vitest';
import { createGate } from '../../../src/platform/limits/gate.ts';

describe('a gate', () => {
  it('runs as many as it has slots, queues up to its limit, rejects the rest, and recovers', async () => {
    const gate = createGate({ slotCount: 2, queueMax: 3 });
    const holds = Array.from({ length: 6 }, () => Promise.withResolvers<undefined>());
    const seen = { running: 0, runningMax: 0 };
    const results = holds.map(({ promise }) =>
      gate.run(async () => {
        seen.running += 1;
        seen.runningMax = Math.max(seen.runningMax, seen.running);
        await promise;
        seen.running -= 1;
      }),
    );
    await expect(results[5]).rejects.toMatchObject({ rejection: { code: 'overloaded', retryAfterS: 2 } });
    for (const { resolve } of holds) resolve(undefined);
    await Promise.all(results.slice(0, 5));
    expect(seen).toEqual({ running: 0, runningMax: 2 });
    expect(await gate.run(() => Promise.resolve('again'))).toBe('again');
  });

  it('lets one key fill the queue, and makes room for another by rejecting the newest of the first', async () => {
    const gate = createGate({ slotCount: 1, queueMax: 3 });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const order: string[] = [];
    const enter = (name: string, key: string) =>
      gate.run(async () => {
        order.push(name);
        await promise;
      }, key);
    const first = ['a1', 'a2', 'a3', 'a4'].map((name) => enter(name, 'a'));
    await expect(enter('a5', 'a')).rejects.toMatchObject({ rejection: { code: 'overloaded' } });
    const rejected = expect(first[3]).rejects.toMatchObject({ rejection: { code: 'overloaded' } });
    const other = enter('b1', 'b');
    await rejected;
    resolve(undefined);
    await Promise.all([...first.slice(0, 3), other]);
    // With one slot the keys are equal, so the longest waiting goes first.
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('frees the slot when the work fails', async () => {
    const gate = createGate({ slotCount: 1, queueMax: 0 });
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(() => Promise.resolve(1))).toBe(1);
  });
});
