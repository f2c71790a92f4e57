import { describe, expect, it } from 'vitest';
import { createSessionCache } from '../../../src/features/auth/sessionCache.ts';

const clock = { nowMs: 1_000_000 };
const create = (entriesMax = 100) =>
  createSessionCache<string>({ freshMs: 30_000, entriesMax, nowMs: () => clock.nowMs });
const session =
  (value: string, expiresAtMs = Number.MAX_SAFE_INTEGER) =>
  () =>
    Promise.resolve({ value, sessionId: `session of ${value}`, userId: `user of ${value}`, expiresAtMs });

describe('the session cache', () => {
  it('reads again after 30 seconds, and at once when the session has ended', async () => {
    const cache = create();
    expect(await cache.get('a', session('first'))).toBe('first');
    clock.nowMs += 29_999;
    expect(await cache.get('a', session('second'))).toBe('first');
    clock.nowMs += 1;
    expect(await cache.get('a', session('third', clock.nowMs + 5))).toBe('third');
    clock.nowMs += 5;
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
  });

  it('drops an ended session, and all sessions of a user, at once', async () => {
    const cache = create();
    await cache.get('a', session('ann'));
    await cache.get('b', session('ben'));
    cache.endSession('session of ann');
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
    cache.endUser('user of ben');
    expect(await cache.get('b', () => Promise.resolve(null))).toBeNull();
  });

  it('does not store a session that ended while it was being read', async () => {
    const cache = create();
    const read = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof session>>>>();
    const pending = cache.get('a', () => read.promise);
    cache.endSession('session of ann');
    read.resolve(await session('ann')());
    expect(await pending).toBe('ann');
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
  });

  it('reads a session once for concurrent callers, and again for callers after an end', async () => {
    const cache = create();
    const reads: PromiseWithResolvers<Awaited<ReturnType<ReturnType<typeof session>>>>[] = [];
    const load = () => {
      const read = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof session>>>>();
      reads.push(read);
      return read.promise;
    };
    const before = Array.from({ length: 50 }, () => cache.get('a', load));
    expect(reads).toHaveLength(1);
    cache.endSession('session of ann');
    const after = cache.get('a', load);
    expect(reads).toHaveLength(2);
    reads[0]?.resolve(await session('ann')());
    expect(await Promise.all(before)).toEqual(before.map(() => 'ann'));
    reads[1]?.reject(new Error('gone'));
    await expect(after).rejects.toThrow('gone');
    expect(await cache.get('a', session('again'))).toBe('again');
  });

  it('holds a bounded number and evicts the oldest first', async () => {
    const cache = create(2);
    for (const key of ['a', 'b', 'c']) await cache.get(key, session(key));
    expect(await cache.get('c', session('new'))).toBe('c');
    expect(await cache.get('a', session('new'))).toBe('new');
  });

  it('does not cache the absence of a session', async () => {
    const cache = create();
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
    expect(await cache.get('a', session('ann'))).toBe('ann');
  });
});
