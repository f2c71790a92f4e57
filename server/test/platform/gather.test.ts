import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGather } from '../../src/platform/gather.ts';

describe('calls that are joined into batches', () => {
  it('DESK-205 are one batch in the same turn, and those that arrive meanwhile the next one', async () => {
    const batches: number[][] = [];
    const double = createGather(async (items: readonly number[]) => {
      batches.push([...items]);
      await pause(20);
      return items.map((item) => 2 * item);
    }, 3);
    const first = [1, 2, 3, 4].map((item) => double(item));
    await pause(10);
    const later = double(5);
    expect(await Promise.all([...first, later])).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(await double(6)).toBe(12);
  });

  it('DESK-205 fail alone: of a failed batch each call is run again', async () => {
    const batches: number[][] = [];
    const check = createGather((items: readonly number[]) => {
      batches.push([...items]);
      return items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items);
    }, 10);
    const results = await Promise.allSettled([1, 2, 3].map((item) => check(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });
});
