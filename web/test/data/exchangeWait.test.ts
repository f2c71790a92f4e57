import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExchangeBusy, exchangeWaits, waitForExchange, waitForRate } from '../../src/data/exchangeWait.ts';
import { setTimeZone } from '../../src/state/timeZone.ts';
import { ApiFailure } from '../../src/api/failure.ts';

const waiting = (exchange: string, retryAfterS: number, code = 'upstream_rate_limited') =>
  new ApiFailure({ code, status: 503, message: 'Many requests are waiting.', retryAfterS, exchange });

describe('a request that waits for a slot at an exchange', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 2, 12) }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['binance', 'upstream_rate_limited'],
    ['okx', 'rate_limited'],
    ['bybit', 'upstream_rate_limited'],
  ])('of %s says until when, is sent again then and gets its result', async (exchange, code) => {
    const send = vi.fn<() => Promise<string>>().mockRejectedValueOnce(waiting(exchange, 12, code));
    send.mockResolvedValue('candles');
    const result = waitForExchange(send);
    await vi.advanceTimersByTimeAsync(0);
    expect(exchangeWaits.waits).toEqual([{ exchange, untilMs: Date.UTC(2026, 2, 2, 12, 0, 12) }]);
    await vi.advanceTimersByTimeAsync(11_999);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('candles');
    expect(exchangeWaits.waits).toEqual([]);
  });

  it('gives up after three minutes, and says at which exchange and when to try again', async () => {
    const send = vi.fn<() => Promise<string>>().mockRejectedValue(waiting('binance', 50));
    const result = waitForExchange(send).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(150_000);
    const error = await result;
    expect(error).toBeInstanceOf(ExchangeBusy);
    expect((error as Error).message).toMatch(/^Binance is busy\. Try again at 2026-03-02 \d\d:03:20\.$/);
    expect(send).toHaveBeenCalledTimes(4);
    expect(exchangeWaits.waits).toEqual([]);
  });

  it('names the time in the zone that is chosen', async () => {
    setTimeZone('utc');
    const error = await waitForExchange(() => Promise.reject(waiting('binance', 120))).catch(
      (thrown: unknown) => thrown,
    );
    setTimeZone('local');
    expect((error as Error).message).toBe('Binance is busy. Try again at 2026-03-02 12:02:00 UTC.');
  });

  it('does not wait for a ban of two minutes', async () => {
    const send = vi.fn<() => Promise<string>>().mockRejectedValue(waiting('okx', 120));
    await expect(waitForExchange(send)).rejects.toThrow(/^OKX is busy\. Try again at /);
  });

  it('ends its wait when it is cancelled', async () => {
    const stop = new AbortController();
    const result = waitForExchange(() => Promise.reject(waiting('binance', 30)), stop.signal).catch(
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(5000);
    stop.abort();
    expect(await result).toMatchObject({ name: 'AbortError' });
    expect(exchangeWaits.waits).toEqual([]);
  });

  it('passes on what is no wait for an exchange', async () => {
    const limit = new ApiFailure({
      code: 'rate_limited',
      status: 429,
      message: 'At most 30 a minute.',
      retryAfterS: 9,
    });
    await expect(waitForExchange(() => Promise.reject(limit))).rejects.toBe(limit);
  });
});

describe('a request that waits for the rate limit of the server', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 2, 12) }));
  afterEach(() => void vi.useRealTimers());
  const limited = (retryAfterS: number) =>
    new ApiFailure({ code: 'rate_limited', status: 429, message: 'Too many.', retryAfterS });

  it('says until when, is sent again then and gets its result', async () => {
    const send = vi.fn<() => Promise<string>>().mockRejectedValueOnce(limited(20)).mockResolvedValue('run');
    const result = waitForRate(send);
    await vi.advanceTimersByTimeAsync(0);
    expect(exchangeWaits.waits).toEqual([{ exchange: null, untilMs: Date.UTC(2026, 2, 2, 12, 0, 20) }]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await result).toBe('run');
    expect([send.mock.calls.length, exchangeWaits.waits]).toEqual([2, []]);
  });

  it('says when to try again where the wait is too long, and passes on a failure that names no time', async () => {
    const error = await waitForRate(() => Promise.reject(limited(90))).catch((failure: unknown) => failure);
    expect((error as Error).message).toMatch(/^The server is busy\. Try again at 2026-03-02 \d\d:01:30\.$/);
    const timeless = new ApiFailure({ code: 'rate_limited', status: 429, message: 'Too many.' });
    await expect(waitForRate(() => Promise.reject(timeless))).rejects.toBe(timeless);
  });
});
