import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAgain, loadPausesMs } from '../../src/ui/loadAgain.ts';

/** A file that fails `failures` times, then loads. */
function flaky(failures: number) {
  const requestedAt: number[] = [];
  const load = () => {
    requestedAt.push(Date.now());
    return requestedAt.length > failures ? Promise.resolve('the file') : Promise.reject(new Error('HTTP 503'));
  };
  return { load, requestedAt };
}

describe('a late file', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([0, 1, 3])('comes after %i failures, with growing pauses', async (failures) => {
    const { load, requestedAt } = flaky(failures);
    const loaded = loadAgain(load);
    await vi.runAllTimersAsync();
    await expect(loaded).resolves.toBe('the file');
    // 0.5 s, then 1.5 s, then 4 s after the one before.
    expect(requestedAt).toEqual([0, 500, 2000, 6000].slice(0, failures + 1));
  });

  it('that never comes is given up after four requests', async () => {
    const { load, requestedAt } = flaky(99);
    const failed = expect(loadAgain(load)).rejects.toThrow('HTTP 503');
    await vi.runAllTimersAsync();
    await failed;
    expect(requestedAt.length).toBe(loadPausesMs.length + 1);
  });

  it('is not requested again where the browser is offline, or another request cannot heal', async () => {
    const offline = flaky(99);
    vi.stubGlobal('navigator', { onLine: false });
    await expect(loadAgain(offline.load)).rejects.toThrow('HTTP 503');
    vi.unstubAllGlobals();
    const wrong = flaky(99);
    await expect(loadAgain(wrong.load, { canHeal: () => false })).rejects.toThrow('HTTP 503');
    expect([offline.requestedAt.length, wrong.requestedAt.length]).toEqual([1, 1]);
  });
});
