import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { importWithFiles, MissingFile } from '../../src/ui/lateFiles.ts';

/** Statuses of the first requests for a path; 200 after them. */
const failures = new Map<string, number[]>();
const requested: string[] = [];
vi.useFakeTimers();
vi.stubGlobal('document', { querySelector: () => null });
vi.stubGlobal('fetch', (path: string) => {
  requested.push(path);
  return Promise.resolve(new Response('// a file', { status: failures.get(path)?.shift() ?? 200 }));
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The result, or the failure, once all pauses have passed. */
async function settled(importing: Promise<string>): Promise<unknown> {
  const result = importing.catch((failure: unknown) => failure);
  await vi.runAllTimersAsync();
  return result;
}

describe('the files of a late part', () => {
  const load = vi.fn(() => Promise.resolve('the part'));
  beforeEach(() => {
    load.mockClear();
    requested.length = 0;
  });

  it('are requested again twice, and only then is the part imported', async () => {
    failures.set('/assets/a.js', [503, 503]);
    expect(await settled(importWithFiles(load, ['assets/a.js', 'assets/shared.js']))).toBe('the part');
    expect(requested.toSorted()).toEqual(['/assets/a.js', '/assets/a.js', '/assets/a.js', '/assets/shared.js']);
    // What has come is not requested for another part.
    requested.length = 0;
    await importWithFiles(load, ['assets/b.js', 'assets/shared.js']);
    expect(requested).toEqual(['/assets/b.js']);
  });

  it('that never come are an error before the import, and the next import requests them again', async () => {
    failures.set('/assets/c.js', [503, 503, 503]);
    const failed = await settled(importWithFiles(load, ['assets/c.js']));
    expect(failed).toBeInstanceOf(MissingFile);
    expect(failed).toMatchObject({ isGone: false, message: '/assets/c.js did not arrive, status 503' });
    expect([requested.length, load.mock.calls.length]).toEqual([3, 0]);
    expect(await settled(importWithFiles(load, ['assets/c.js']))).toBe('the part');
  });

  it('of a release that was replaced are requested once', async () => {
    failures.set('/assets/old.js', [404]);
    expect(await settled(importWithFiles(load, ['assets/old.js']))).toMatchObject({ isGone: true });
    expect(requested).toEqual(['/assets/old.js']);
  });
});
