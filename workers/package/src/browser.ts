import { compileEngine } from '../../src/engine/engine.ts';
import type { FromThread } from './serve.ts';
import { type Engine, EngineError, type EngineOptions, engineOn } from './engine.ts';
import { createThreads, type Thread } from './threads.ts';

export * from './exports.ts';

/**
 * Loads the engine in a page or in a worker of one. Close it at the end.
 * @param options.threads of searches; one fewer than the processors when absent, so that the page stays responsive
 */
export async function createEngine({
  threads = Math.max(1, (navigator.hardwareConcurrency || 2) - 1),
  wasm,
}: EngineOptions = {}): Promise<Engine> {
  const compiled = await compileEngine(new Uint8Array(wasm ?? (await fetchWasm())));
  return engineOn(compiled, createThreads({ engine: compiled, count: threads, start }));
}

async function fetchWasm(): Promise<ArrayBuffer> {
  // Bundlers read this literal and copy the file.
  const response = await fetch(new URL('./engine.wasm', import.meta.url));
  if (!response.ok) throw new EngineError({ code: 'engine_trap', message: 'The engine did not load. Try again.' });
  return response.arrayBuffer();
}

function start(): Thread {
  const worker = new Worker(new URL('./browserWorker.js', import.meta.url), { type: 'module', name: 'sextant' });
  return {
    post: (message) => worker.postMessage(message),
    onMessage(listener) {
      worker.onmessage = ({ data }: MessageEvent<FromThread>) => listener(data);
    },
    onFailure(listener) {
      worker.onerror = ({ message }) => listener(message || 'The script of the thread did not load.');
    },
    end: () => worker.terminate(),
  };
}
