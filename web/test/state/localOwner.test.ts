import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryDatabase, type MemoryDatabase } from '../support/memoryDatabase.ts';

/** Two users of one browser whose cookie is exchanged while no page is open: neither reads the other's data. */
let memory: MemoryDatabase;
let saved: Map<string, string>;
beforeEach(() => {
  memory = createMemoryDatabase();
  saved = new Map();
  vi.stubGlobal('indexedDB', memory.factory);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
    key: (at: number) => [...saved.keys()][at] ?? null,
    get length() {
      return saved.size;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Simulates a reload: only browser storage survives. */
async function openPage() {
  vi.resetModules();
  const [{ claimLocalData, forgetLocalData, leaveLocalData }, records, { readSaved, save }] = await Promise.all([
    import('../../src/state/localOwner.ts'),
    import('../../src/state/localDatabase.ts'),
    import('../../src/state/storage.ts'),
  ]);
  return { claimLocalData, forgetLocalData, leaveLocalData, ...records, readSaved, save };
}

describe('what a browser remembers of a user', () => {
  it('is there for them at the next visit', async () => {
    const first = await openPage();
    expect(first.claimLocalData('anna')).toBe(false);
    await vi.dynamicImportSettled();
    await first.writeRecord('search', { pnl: 1 });
    first.save('trials', '[1]');
    const next = await openPage();
    expect(next.claimLocalData('anna')).toBe(false);
    expect(await next.readRecord('search')).toEqual({ pnl: 1 });
    expect(next.readSaved('trials')).toBe('[1]');
  });

  it('is never read by another: neither before nor after it is deleted, in the store and outside it', async () => {
    const first = await openPage();
    first.claimLocalData('anna');
    await vi.dynamicImportSettled();
    await first.writeRecord('search', { pnl: 1, long: new Float64Array(150_000) });
    for (const key of ['trials', 'unsavedRun', 'lab.live', 'arbitrage.form', 'tab']) first.save(key, 'of Anna');
    for (const key of ['theme', 'palette', 'timeZone', 'chart.market', 'signedIn']) first.save(key, 'of the browser');
    const next = await openPage();
    // As the visitor that a page is before it knows its session.
    expect(await next.readRecord('search')).toBeUndefined();
    expect(next.claimLocalData('bert')).toBe(true);
    expect(await next.readRecord('search')).toBeUndefined();
    for (const key of ['trials', 'unsavedRun', 'lab.live', 'arbitrage.form', 'tab'])
      expect(next.readSaved(key)).toBeNull();
    for (const key of ['theme', 'palette', 'timeZone', 'chart.market', 'signedIn'])
      expect(next.readSaved(key)).toBe('of the browser');
    await vi.waitFor(() => expect(memory.records.size).toBe(0));
    const back = await openPage();
    expect(back.claimLocalData('anna')).toBe(true);
    expect(await back.readRecord('search')).toBeUndefined();
  });

  it('is not read by a visitor after sign-out', async () => {
    const page = await openPage();
    page.claimLocalData('anna');
    await vi.dynamicImportSettled();
    await page.writeRecord('search', { pnl: 1 });
    page.leaveLocalData();
    expect(await page.readRecord('search')).toBeUndefined();
  });

  it('DESK-154 is gone after a sign-out, in the store and outside it', async () => {
    const page = await openPage();
    page.claimLocalData('anna');
    await vi.dynamicImportSettled();
    await page.writeRecord('search', { pnl: 1 });
    for (const key of ['trials', 'unsavedRun', 'lab.live', 'tab']) page.save(key, 'of Anna');
    for (const key of ['theme', 'chart.market']) page.save(key, 'of the browser');
    page.leaveLocalData();
    page.forgetLocalData();
    await vi.waitFor(() => expect(memory.records.size).toBe(0));
    expect([...saved.keys()].sort()).toEqual(['sextant.chart.market', 'sextant.theme']);
  });

  it('of a version without owners is taken over but for the store, whose owner is unknown', async () => {
    memory.records.set('search', { pnl: 1 });
    saved.set('sextant.trials', '[1]');
    const page = await openPage();
    expect(page.claimLocalData('anna')).toBe(false);
    expect(await page.readRecord('search')).toBeUndefined();
    expect(page.readSaved('trials')).toBe('[1]');
    await vi.waitFor(() => expect(memory.records.size).toBe(0));
  });
});
