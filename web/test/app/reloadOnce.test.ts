import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { reloadOnce } from '../../src/app/reloadOnce.ts';

/** Statuses of the next requests for a script; 200 after them. */
let statuses: number[] = [];
let requests = 0;
let isDenied = false;
const saved = new Map<string, string>();
vi.useFakeTimers();
vi.stubGlobal('fetch', () => {
  requests += 1;
  return Promise.resolve(new Response('', { status: statuses.shift() ?? 200 }));
});
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => saved.get(key) ?? null,
  setItem: (key: string, value: string) => {
    if (isDenied) throw new Error('denied');
    saved.set(key, value);
  },
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
beforeEach(() => {
  statuses = [];
  requests = 0;
  isDenied = false;
  saved.clear();
});

/** Whether the page was reloaded. */
async function reloaded(nowMs = 1_000_000, path = '/faq'): Promise<boolean> {
  let count = 0;
  const result = reloadOnce({ path, nowMs, scripts: ['/assets/own.js'], reload: () => (count += 1) });
  await vi.runAllTimersAsync();
  expect(await result).toBe(count === 1);
  return count === 1;
}

it('a public page whose own script failed once is reloaded once the script can be read', async () => {
  statuses = [503];
  expect(await reloaded()).toBe(true);
  expect(requests).toBe(2);
});

it('a page of an earlier version, whose script is gone, is reloaded', async () => {
  statuses = [404];
  expect(await reloaded()).toBe(true);
});

it('a script that stays away is requested four times and reloads nothing: the page then says what is missing', async () => {
  statuses = Array<number>(9).fill(503);
  expect(await reloaded()).toBe(false);
  expect(requests).toBe(4);
});

it('a page is not reloaded in a loop, and again when it fails much later or at another address', async () => {
  expect(await reloaded(1_000_000)).toBe(true);
  expect(await reloaded(1_030_000)).toBe(false);
  expect(await reloaded(1_030_000, '/how')).toBe(true);
  expect(await reloaded(1_200_000, '/how')).toBe(true);
});

it('without storage in the tab nothing is reloaded, as nothing would end a loop', async () => {
  isDenied = true;
  expect(await reloaded()).toBe(false);
});
