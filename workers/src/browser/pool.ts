import { proxy } from 'comlink';
import { type CompiledEngine, compileEngine } from '../engine/engine.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { EnginePool, TaskMessage, TaskName, TaskOutput } from '../protocol/tasks.ts';
import { type StopSignal, stopSignal } from '../tasks/stopSignal.ts';
import { createSlots, type Slot, type Slots } from './slots.ts';

/** Message when the engine, or the script of its worker, did not load. */
export const NOT_LOADED = 'the engine did not load; check your connection and try again';

/** @throws Error when the file cannot be fetched or is not the engine. */
export async function fetchEngine(wasmUrl: string): Promise<CompiledEngine> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`The engine did not load (HTTP ${response.status}).`);
  return compileEngine(new Uint8Array(await response.arrayBuffer()));
}

type Result = TaskResult<TaskOutput<TaskName>>;

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
): Promise<Result> {
  // A call that is pending when its worker is terminated never settles, so everything races with the signal.
  const stopped = new Promise<'stopped'>((resolve) => {
    if (stop.signal.aborted) resolve('stopped');
    stop.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  if (stop.isStopped()) return stop.failure();
  const progress = onProgress && (proxy(onProgress) as typeof onProgress);
  const runOn = async (turn: Promise<Slot>): Promise<Result | 'not_started'> => {
    const slot = await Promise.race([turn, stopped]);
    if (slot === 'stopped') {
      void turn.then((late) => slots.giveBack(late));
      return stop.failure();
    }
    const call = slot.ready.then(
      (): Promise<Result> => slot.api.run(message, progress),
      () => 'crashed' as const,
    );
    const result = await Promise.race([call, slot.crashed, stopped]);
    if (result === 'stopped' || result === 'crashed') slots.replace(slot, result);
    else slots.giveBack(slot);
    if (result === 'stopped') return stop.failure();
    if (result !== 'crashed') return result;
    return slot.isReady ? fail('engine_trap', 'the engine stopped working; run again') : 'not_started';
  };
  const first = await runOn(slots.take());
  if (first !== 'not_started') return first;
  // Without a network the script of one more worker cannot be fetched: a worker that is ready takes the run instead.
  const started = slots.takeStarted();
  const second = started === undefined ? 'not_started' : await runOn(started);
  return second === 'not_started' ? fail('engine_trap', NOT_LOADED) : second;
}
