import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const cache = new Map<string, string>();
beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => cache.get(key) ?? null,
    setItem: (key: string, value: string) => void cache.set(key, value),
  });
});
afterEach(() => {
  cache.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The module as it is after a load of the page. */
const loadPage = () => import('../../src/state/toasts.ts');

describe('toasts', () => {
  it('SHELL-011 leave after 3.5 s and stay in the messages, newest first', async () => {
    const { toast, toastState } = await loadPage();
    toast('first');
    toast('second', 'error');
    vi.advanceTimersByTime(3499);
    expect(toastState.list.map(({ text }) => text)).toEqual(['first', 'second']);
    vi.advanceTimersByTime(1);
    expect(toastState.list).toEqual([]);
    expect(toastState.messages).toMatchObject([
      { text: 'second', tone: 'error', atMs: 1_700_000_000_000 },
      { text: 'first', tone: 'info' },
    ]);
    expect(toastState.unreadCount).toBe(2);
  });

  it('do not come back after a reload; their messages do', async () => {
    (await loadPage()).toast('Run saved', 'success');
    vi.resetModules();
    const { toastState } = await loadPage();
    expect(toastState.list).toEqual([]);
    expect(toastState.messages.map(({ text }) => text)).toEqual(['Run saved']);
    expect(toastState.unreadCount).toBe(0);
  });

  it('report one event once, also when it is reported again after a reload', async () => {
    (await loadPage()).toast('Scan failed: no data', 'error', 'scan failed 7');
    vi.resetModules();
    const { toast, toastState } = await loadPage();
    toast('Scan failed: no data', 'error', 'scan failed 7');
    expect(toastState.list).toEqual([]);
    toast('Scan failed: no data', 'error', 'scan failed 8');
    expect(toastState.list).toHaveLength(1);
    expect(toastState.messages).toHaveLength(2);
  });

  it('keep the last fifty, can be cleared, and are forgotten with their user', async () => {
    const { toast, toastState, clearMessages } = await loadPage();
    for (let at = 1; at <= 60; at++) toast(`line ${at}`);
    expect(toastState.messages).toHaveLength(50);
    expect(toastState.messages[0]?.text).toBe('line 60');
    clearMessages();
    expect(toastState.messages).toEqual([]);
    toast('of the first user');
    (await import('../../src/state/userReset.ts')).runUserResets();
    expect([toastState.list, toastState.messages, toastState.unreadCount]).toEqual([[], [], 0]);
    expect(cache.get('sextant.messages')).toBe('[]');
  });

  it.each(['', 'no json', '{}', '[1, null, {"id":1}]', '[{"id":1,"text":"x","tone":"odd","atMs":1}]'])(
    'start empty from what storage should not hold: %s',
    async (stored) => {
      cache.set('sextant.messages', stored);
      expect((await loadPage()).toastState.messages).toEqual([]);
    },
  );
});
