import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryDatabase } from '../support/memoryDatabase.ts';

const load = () => import('../../src/state/localDatabase.ts');
beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the store of this browser', () => {
  it('keeps a record and gives it back', async () => {
    vi.stubGlobal('indexedDB', createMemoryDatabase().factory);
    const { clearRecords, readRecord, writeRecord } = await load();
    expect(await writeRecord('a', { values: Float64Array.of(1, 2) })).toBe(true);
    expect(await readRecord('a')).toEqual({ values: Float64Array.of(1, 2) });
    await clearRecords();
    expect(await readRecord('a')).toBeUndefined();
  });

  it('keeps long columns in parts, gives back every value, and leaves no part behind', async () => {
    const memory = createMemoryDatabase();
    vi.stubGlobal('indexedDB', memory.factory);
    const { deleteRecord, readRecord, writeRecord } = await load();
    const long = Float64Array.from({ length: 250_001 }, (_, i) => i / 7);
    const edge = Float64Array.from({ length: 100_000 }, (_, i) => -i);
    const search = (columns: Record<string, Float64Array>) => ({
      seed: 1,
      none: null,
      trials: { columns, opens: [3] },
    });
    const first = search({ long, edge, views: long.subarray(50_000, 200_000) });
    // Without the diff of a matcher, which would print a quarter of a million values.
    const same = isDeepStrictEqual;
    await writeRecord('other', 'stays');
    expect(await writeRecord('a', first)).toBe(true);
    expect(same(await readRecord('a'), first)).toBe(true);
    // Three parts of 250,001 values, none of 100,000, two of 150,000.
    expect(memory.records.size).toBe(2 + 5);
    for (const [key, value] of memory.records)
      if (key.startsWith('a\n')) expect((value as Float64Array).buffer.byteLength).toBeLessThanOrEqual(800_000);
    const second = search({ long: long.subarray(0, 100_001), edge });
    expect(await writeRecord('a', second)).toBe(true);
    expect(same(await readRecord('a'), second)).toBe(true);
    expect(memory.records.size).toBe(2 + 2);
    memory.records.delete([...memory.records.keys()].at(-1) ?? '');
    expect(await readRecord('a')).toBeUndefined();
    await deleteRecord('a');
    expect([...memory.records.keys()]).toEqual(['\nother']);
  });

  const rejected = { open: () => request('onerror') };
  const request = (event: 'onerror' | 'onsuccess', result?: unknown) => {
    const request: Record<string, unknown> = { result, error: new Error('refused') };
    queueMicrotask(() => (request[event] as () => void)());
    return request;
  };
  const throwing = {
    open: () =>
      request('onsuccess', {
        close: () => undefined,
        transaction: () => {
          throw new DOMException('the store is gone', 'NotFoundError');
        },
      }),
  };
  const full = Object.assign(createMemoryDatabase(), { isFull: true }).factory;
  it.each([
    ['without IndexedDB, as in some private windows', undefined],
    ['that fails to open', rejected],
    ['whose store was taken away', throwing],
    ['without room', full],
  ])('%s keeps nothing, says so, and breaks nothing', async (_, factory) => {
    vi.stubGlobal('indexedDB', factory);
    const { clearRecords, readRecord, writeRecord } = await load();
    expect(await writeRecord('a', 1)).toBe(false);
    expect(await readRecord('a')).toBeUndefined();
    await expect(clearRecords()).resolves.toBeUndefined();
  });

  it('that does not respond is given up once; when it opens late that connection is closed, and the next is requested', async () => {
    vi.useFakeTimers();
    const close = vi.fn();
    const request: { result: unknown; onsuccess?: () => void } = { result: { close } };
    const open = vi.fn(() => request);
    vi.stubGlobal('indexedDB', { open });
    const { readRecord, writeRecord } = await load();
    const reading = readRecord('a');
    await vi.advanceTimersByTimeAsync(4000);
    expect(await reading).toBeUndefined();
    expect(await writeRecord('a', 1)).toBe(false);
    expect(open).toHaveBeenCalledTimes(1);
    request.onsuccess?.();
    expect(close).toHaveBeenCalledTimes(1);
    void readRecord('a');
    expect(open).toHaveBeenCalledTimes(2);
  });
});
