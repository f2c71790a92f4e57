import { describe, expect, it } from 'vitest';
import { createSharedPing } from '../../../../src/features/status/health/sharedPing.ts';

function create() {
  const state = { nowMs: 5000, pingCount: 0, isUp: true };
  const ping = createSharedPing(
    () => {
      state.pingCount += 1;
      state.nowMs += 3;
      return state.isUp ? Promise.resolve() : Promise.reject(new Error('down'));
    },
    () => state.nowMs,
  );
  return { state, ping };
}

describe('the round trip to the database', () => {
  it('is measured once for all requests within a second', async () => {
    const { state, ping } = create();
    expect(await Promise.all(Array.from({ length: 100 }, () => ping()))).toEqual(Array<number>(100).fill(3));
    expect(state.pingCount).toBe(1);
    state.nowMs = 6000;
    await ping();
    expect(state.pingCount).toBe(2);
  });

  it('that failed is tried again after a second', async () => {
    const { state, ping } = create();
    state.isUp = false;
    await expect(ping()).rejects.toThrow('down');
    state.isUp = true;
    await expect(ping()).rejects.toThrow('down');
    expect(state.pingCount).toBe(1);
    state.nowMs += 1000;
    expect(await ping()).toBe(3);
  });
});
