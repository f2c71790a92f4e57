import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'http://127.0.0.1:1' } }));
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 2, 9, 3) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const MINUTE_MS = 60_000;

it('SIG-072 in an hour three tabs and devices start the six automatic scans of one', async () => {
  const { startAutoScan } = await import('../../../src/features/signals/scan/useScanRun.ts');
  let lastAt: string | undefined;
  let scanCount = 0;
  const read = () => ({
    isScanning: false,
    lastAt,
    startAutomatic: () => {
      scanCount++;
      lastAt = new Date().toISOString();
    },
  });
  const stops = [startAutoScan(read)];
  for (let i = 0; i < 2; i++) {
    vi.advanceTimersByTime(3 * MINUTE_MS);
    stops.push(startAutoScan(read));
  }
  vi.advanceTimersByTime(54 * MINUTE_MS);
  expect(scanCount).toBe(6);
  stops.forEach((stop) => stop());
  vi.advanceTimersByTime(60 * MINUTE_MS);
  expect(scanCount).toBe(6);
});

it('SIG-072 starts ten minutes after a scan by hand, and again with another key after one that failed', async () => {
  const { startAutoScan } = await import('../../../src/features/signals/scan/useScanRun.ts');
  const startedAt = Date.now();
  let lastAt = new Date(startedAt).toISOString();
  const started: { minute: number; key: string }[] = [];
  const read = () => ({
    isScanning: false,
    lastAt,
    startAutomatic: (key: string) => void started.push({ minute: (Date.now() - startedAt) / MINUTE_MS, key }),
  });
  const stop = startAutoScan(read);
  vi.advanceTimersByTime(4 * MINUTE_MS);
  lastAt = new Date().toISOString();
  // None of them succeeds.
  vi.advanceTimersByTime(21 * MINUTE_MS);
  stop();
  expect(started.map(({ minute }) => minute)).toEqual([14, 24]);
  expect(new Set(started.map(({ key }) => key)).size).toBe(2);
});

it('tabs that do not know of each other use one key, that the server charges once; ten minutes later it is another', async () => {
  const { startAutoScan } = await import('../../../src/features/signals/scan/useScanRun.ts');
  const keys: string[] = [];
  const read = () => ({ isScanning: false, lastAt: undefined, startAutomatic: (key: string) => void keys.push(key) });
  const stops = [startAutoScan(read)];
  vi.advanceTimersByTime(2 * MINUTE_MS);
  stops.push(startAutoScan(read));
  vi.advanceTimersByTime(20 * MINUTE_MS);
  stops.forEach((stop) => stop());
  const [first, second, third, fourth] = keys;
  expect(keys).toHaveLength(4);
  expect([second, fourth]).toEqual([first, third]);
  expect(third).not.toBe(first);
});
