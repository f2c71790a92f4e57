import { proxy } from 'comlink';
import { type CompiledEngine, compileEngine } from '../engine/engine.ts';
import {
  type EnginePool,
  fail,
  type TaskMessage,
  type TaskName,
  type TaskOutput,
  type TaskProgress,
  type TaskResult,
} from '../protocol.ts';
import { type StopSignal, stopSignal } from '../tasks/stopSignal.ts';
import { createSlots, type Slots } from './slots.ts';

/** Of the engine, or of the script of its worker. */
export const NOT_LOADED = 'the engine could not be loaded; check your connection and try again';

/** @throws Error when the file cannot be fetched or is not the engine. */
export async function fetchEngine(wasmUrl: string): Promise<CompiledEngine> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`The engine could not be loaded (HTTP ${response.status}).`);
  return compileEngine(new Uint8Array(await response.arrayBuffer()));
}

export interface BrowserPool extends EnginePool {
  /** Starts every worker before the first run needs one. */
  warm(): Promise<void>;
}

/** Web Workers that each own an engine. An aborted run ends its worker, and the next run gets a new one. */
export function createBrowserPool(
  compiled: CompiledEngine,
  size = Math.max(1, (navigator.hardwareConcurrency || 2) - 1),
): BrowserPool {
  const slots = createSlots(compiled, size);
  const closing = new AbortController();
  return {
    async run(name, input, { onProgress, signal, ...options } = {}) {
      const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
      const stop = stopSignal({ ...options, signal: AbortSignal.any(signals) });
      try {
        return await runInTurn(slots, { name, input } as TaskMessage, stop, onProgress);
      } finally {
        stop.release();
      }
    },
    threads: size,
    warm: () => slots.warm(),
    close() {
      closing.abort();
      slots.close();
      return Promise.resolve();
    },
  };
}

async function runInTurn(
  slots: Slots,
  message: TaskMessage,
  stop: StopSignal,
  onProgress: ((progress: TaskProgress) => void) | undefined,
): Promise<TaskResult<TaskOutput<TaskName>>> {
  // A call that is pending when its worker is terminated never settles, so everything races with the signal.
  const stopped = new Promise<'stopped'>((resolve) => {
    if (stop.signal.aborted) resolve('stopped');
    stop.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  if (stop.isStopped()) return stop.failure();
  const turn = slots.take();
  const slot = await Promise.race([turn, stopped]);
  if (slot === 'stopped') {
    void turn.then((late) => slots.giveBack(late));
    return stop.failure();
  }
  const progress = onProgress && (proxy(onProgress) as typeof onProgress);
  const started = { isReady: false };
  const call = slot.ready.then(
    async (): Promise<TaskResult<TaskOutput<TaskName>>> => {
      started.isReady = true;
      return await slot.api.run(message, progress);
    },
    () => 'crashed' as const,
  );
  const result = await Promise.race([call, slot.crashed, stopped]);
  if (result === 'stopped' || result === 'crashed') slots.replace(slot);
  else slots.giveBack(slot);
  if (result === 'stopped') return stop.failure();
  if (result !== 'crashed') return result;
  return fail('engine_trap', started.isReady ? 'the engine stopped working; run again' : NOT_LOADED);
}
