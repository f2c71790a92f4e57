import { describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { retryDelayMs, shouldRetry } from '../../src/api/retry.ts';

const failed = (status: number, retryAfterS?: number) =>
  new ApiFailure({ code: 'x', status, message: 'x', retryAfterS });

describe('a read that failed', () => {
  it('SHELL-017 CONST-015 is tried again six times, then shown', () => {
    const tries = Array.from({ length: 8 }, (_, failures) => shouldRetry(failures, failed(502)));
    expect(tries).toEqual([true, true, true, true, true, true, false, false]);
  });

  it('SHELL-017 waits 1 s first and half as long again each time', () =>
    expect([0, 1, 2, 3, 4, 5].map((retry) => retryDelayMs(retry))).toEqual([1000, 1500, 2250, 3375, 5062.5, 7593.75]));

  it('waits as long as the server requests when that is longer', () => {
    expect(retryDelayMs(0, failed(429, 5))).toBe(5000);
    expect(retryDelayMs(5, failed(429, 5))).toBe(7593.75);
  });

  it.each([400, 401, 403, 404, 409, 413, 422])(
    'with %i is not tried again: the request itself was rejected',
    (status) => expect(shouldRetry(0, failed(status))).toBe(false),
  );

  it.each([0, 429, 500, 502, 503, 504])('with %i may heal', (status) =>
    expect(shouldRetry(0, failed(status))).toBe(true),
  );

  it('without any network is shown at once: the network brings the next try', () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect([shouldRetry(0, failed(0)), shouldRetry(0, failed(502))]).toEqual([false, true]);
    vi.stubGlobal('navigator', { onLine: true });
    expect(shouldRetry(0, failed(0))).toBe(true);
    vi.unstubAllGlobals();
  });

  it('by a bug in the app is not tried again', () => expect(shouldRetry(0, new TypeError('x'))).toBe(false));
});
