import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type CompiledEngine, compileEngine } from '../../src/engine/engine.ts';
import type { FromThread } from './serve.ts';
import { type Engine, type EngineOptions, engineOn } from './engine.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import { createThreads, type Thread } from './threads.ts';

export * from './exports.ts';

/** Built files lie beside each other; the sources take the engine of the repository. */
const isSource = import.meta.url.endsWith('.ts');
const wasmUrl = new URL(isSource ? '../../../engine-as/build/engine.wasm' : './engine.wasm', import.meta.url);
const workerUrl = new URL(isSource ? './nodeWorker.ts' : './nodeWorker.js', import.meta.url);

/**
 * Loads the engine. Close it at the end: its threads keep the process alive while they work.
 * @param options.threads of searches; the number of processors when absent
 */
export async function createEngine({ threads = availableParallelism(), wasm }: EngineOptions = {}): Promise<Engine> {
  const compiled = wasm === undefined ? await loadEngine() : await compileEngine(new Uint8Array(wasm));
  return engineOn(compiled, openThreads(compiled, threads));
}

/** Threads of the engine; they start when runs need them. */
export const openThreads = (engine: CompiledEngine, count: number): EnginePool =>
  createThreads({ engine, count, start });

/** The engine that lies beside this file. */
export const loadEngine = async (): Promise<CompiledEngine> => compileEngine(new Uint8Array(await readFile(wasmUrl)));

function start(): Thread {
  const worker = new Worker(workerUrl);
  let isWorking = false;
  const settle = (isBusy: boolean): void => {
    isWorking = isBusy;
    // An idle thread does not keep the process alive.
    if (isWorking) worker.ref();
    else worker.unref();
  };
  settle(false);
  return {
    post(message) {
      if ('message' in message) settle(true);
      worker.postMessage(message);
    },
    onMessage(listener) {
      worker.removeAllListeners('message');
      worker.on('message', (message: FromThread) => {
        if ('result' in message) settle(false);
        listener(message);
      });
    },
    onFailure(listener) {
      worker.removeAllListeners('error');
      worker.on('error', (cause) => listener(cause instanceof Error ? cause.message : String(cause)));
    },
    end: () => void worker.terminate(),
  };
}
