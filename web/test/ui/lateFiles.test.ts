import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { importWithFiles, MissingFile } from '../../src/ui/lateFiles.ts';

/** Statuses of the first requests for a path; 200 after them. */
const failures = new Map<string, number[]>();
/** What the first requests for a path get instead of the file: no response, one whose body stays empty, or this body. */
const bodies = new Map<string, ('nothing' | 'empty' | ReadableStream<Uint8Array>)[]>();
const requested: string[] = [];
const linksOfPage: string[] = [];
vi.useFakeTimers();
vi.stubGlobal('document', {
  querySelector: (selectors: string) =>
    selectors.split(', ').find((selector) => linksOfPage.includes(selector)) === undefined ? null : {},
});
vi.stubGlobal('fetch', (path: string, { signal, cache }: { signal?: AbortSignal; cache?: string } = {}) => {
  requested.push(cache === 'reload' ? `${path} past the cache` : path);
  const body = bodies.get(path)?.shift();
  const status = failures.get(path)?.shift() ?? 200;
  const empty = new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    if (body !== 'nothing') resolve(new Response(body === 'empty' ? empty : (body ?? '// a file'), { status }));
  });
});
/** A body that brings a byte `everyMs`, `count` times. */
const drops = (everyMs: number, count: number) =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let at = 0; at < count; at++) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        controller.enqueue(new Uint8Array(1));
      }
      controller.close();
    },
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

const again = (path: string): string[] => [`${path} past the cache`];

describe('the files of a late part', () => {
  const load = vi.fn(() => Promise.resolve('the part'));
  beforeEach(() => {
    load.mockClear();
    requested.length = 0;
  });

  it('are requested again twice, and only then is the part imported', async () => {
    failures.set('/assets/a.js', [503, 503]);
    expect(await settled(importWithFiles(load, ['assets/a.js', 'assets/shared.js']))).toBe('the part');
    expect(requested).toEqual([
      '/assets/a.js',
      '/assets/shared.js',
      ...again('/assets/a.js'),
      ...again('/assets/a.js'),
    ]);
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

  it('that bring nothing for ten seconds are requested again, and are an error after the third time', async () => {
    bodies.set('/assets/hangs.js', ['nothing', 'empty']);
    const importing = importWithFiles(load, ['assets/hangs.js']);
    await vi.advanceTimersByTimeAsync(10_499);
    expect(requested).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requested).toHaveLength(2);
    // Ten seconds of a body without a byte, and the second pause.
    await vi.advanceTimersByTimeAsync(11_500);
    expect(await importing).toBe('the part');
    bodies.set('/assets/dead.js', ['nothing', 'nothing', 'nothing']);
    const startedAt = Date.now();
    expect(await settled(importWithFiles(load, ['assets/dead.js']))).toMatchObject({
      name: 'MissingFile',
      isGone: false,
      message: '/assets/dead.js did not arrive',
    });
    expect([requested.length, Date.now() - startedAt]).toEqual([6, 3 * 10_000 + 500 + 1500]);
  });

  it('on a slow connection are requested once, as long as a byte of one of them comes', async () => {
    bodies.set('/assets/slow.js', [drops(9000, 5)]);
    bodies.set('/assets/queues.js', [drops(50_000, 1)]);
    expect(await settled(importWithFiles(load, ['assets/slow.js', 'assets/queues.js']))).toBe('the part');
    expect(requested).toEqual(['/assets/slow.js', '/assets/queues.js']);
  });

  it('are requested where the page only preloads them, and not where its entry has run them', async () => {
    linksOfPage.push('link[href="/assets/Shell.js"]', 'link[rel="modulepreload"][href="/assets/entry.js"]');
    await importWithFiles(load, ['assets/Shell.js', 'assets/entry.js']);
    expect(requested).toEqual(['/assets/Shell.js']);
  });
});
