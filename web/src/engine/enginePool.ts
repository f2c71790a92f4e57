import { createBrowserPool, fetchEngine } from '@sextant/workers/src/browser/pool.ts';
import type { EnginePool } from '@sextant/workers/src/protocol.ts';
import wasmUrl from '../../../engine-as/build/engine.wasm?url';

/** Two at least, so that a long search or the honesty figures do not stand in the way of a slider. */
const WORKERS = Math.max(2, (navigator.hardwareConcurrency || 2) - 1);

let pool: Promise<EnginePool> | undefined;

/** The engine in Web Workers, started at the first use and kept. A failed start is tried again at the next call. */
export function enginePool(): Promise<EnginePool> {
  pool ??= fetchEngine(wasmUrl)
    .then((compiled) => createBrowserPool(compiled, WORKERS))
    .catch((failure: unknown) => {
      pool = undefined;
      throw failure;
    });
  return pool;
}
