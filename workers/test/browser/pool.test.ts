import { expose } from 'comlink';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBrowserPool, NOT_LOADED } from '../../src/browser/pool.ts';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import type { TaskMessage } from '../../src/protocol/tasks.ts';

/** Ends the runs of all workers, in the order they started. */
const running: (() => void)[] = [];
let startedCount = 0;
/** Without a network the script of a worker cannot be fetched. */
let hasNetwork = true;
/** On a slow network it comes late; here never. */
let isSlow = false;

/** A Web Worker as a browser has it: a port to its script, or an error event when that does not come. */
class FakeWorker extends EventTarget {
  readonly #port: MessagePort | undefined;

  constructor() {
    super();
    startedCount += 1;
    if (!hasNetwork) {
      setTimeout(() => this.dispatchEvent(new Event('error')));
      return;
    }
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
      this.dispatchEvent(new MessageEvent('message', { data })),
    );
    port1.start();
    expose(
      {
        start: isSlow ? () => new Promise(() => {}) : () => undefined,
        warm: () => undefined,
        run: ({ name }: TaskMessage) =>
          new Promise((resolve) => running.push(() => resolve({ ok: true, value: name }))),
      },
      port2,
    );
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#port?.postMessage(message, transfer);
  }

  terminate(): void {
    this.#port?.close();
  }
}

const createPool = (size = 3) => createBrowserPool({} as CompiledEngine, size);
const notLoaded = { ok: false, error: { code: 'engine_trap', message: NOT_LOADED } };
const spread = {} as never;

beforeEach(() => {
  startedCount = 0;
  hasNetwork = true;
  isSlow = false;
  running.length = 0;
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

async function endNext(): Promise<void> {
  await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
  running.shift()?.();
}

describe('engine workers without a network', () => {
  it('that run already take the runs of those whose script does not come, in turn', async () => {
    const pool = createPool();
    const first = pool.run('spread', spread);
    await vi.waitFor(() => expect(running).toHaveLength(1));
    hasNetwork = false;
    const later = [pool.run('spread', spread), pool.run('spread', spread), pool.run('spread', spread)];
    await vi.waitFor(() => expect(startedCount).toBe(3));
    await endNext();
    expect(await first).toEqual({ ok: true, value: 'spread' });
    for (const _each of later) await endNext();
    expect(await Promise.all(later)).toEqual(Array(3).fill({ ok: true, value: 'spread' }));
    // Each of the two started one replacement, and none was retried in a loop.
    expect(startedCount).toBe(3);
    await pool.close();
  });

  it('say that the engine could not be loaded when none runs, and start with the network', async () => {
    hasNetwork = false;
    const pool = createPool();
    const runs = Array.from({ length: 5 }, () => pool.run('spread', spread));
    expect(await Promise.all(runs)).toEqual(Array(5).fill(notLoaded));
    hasNetwork = true;
    const again = pool.run('spread', spread);
    await endNext();
    expect(await again).toEqual({ ok: true, value: 'spread' });
    await pool.close();
  });
});

describe('a run stopped while its worker starts', () => {
  it('makes room for a new worker, which takes the next run', async () => {
    isSlow = true;
    const pool = createPool(2);
    const stop = new AbortController();
    const stopped = pool.run('spread', spread, { signal: stop.signal });
    const starting = pool.run('spread', spread);
    const next = pool.run('spread', spread);
    isSlow = false;
    stop.abort();
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await endNext();
    expect(await next).toEqual({ ok: true, value: 'spread' });
    expect(startedCount).toBe(3);
    await pool.close();
    expect(await starting).toMatchObject({ ok: false });
  });
});
