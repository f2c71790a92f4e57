import { type Remote, wrap } from 'comlink';
import type { CompiledEngine } from '../engine/engine.ts';
import type { EngineWorkerApi } from './engineWorker.ts';

/** One worker with its engine. */
export interface Slot {
  worker: Worker;
  api: Remote<EngineWorkerApi>;
  ready: Promise<void>;
}

export interface Slots {
  /** A free worker, started when there is room; waits in line otherwise. */
  take(): Promise<Slot>;
  giveBack(slot: Slot): void;
  /** Starts as many workers as there may be, and lets each run once. */
  warm(): Promise<void>;
  /** Ends a worker that may not come back by itself and starts another. */
  replace(slot: Slot): void;
  close(): void;
}

export function createSlots(compiled: CompiledEngine, size: number): Slots {
  const all = new Set<Slot>();
  const idle: Slot[] = [];
  const waiting: ((slot: Slot) => void)[] = [];

  function start(): Slot {
    const worker = new Worker(new URL('./engineWorker.ts', import.meta.url), { type: 'module', name: 'engine' });
    const api = wrap<EngineWorkerApi>(worker);
    const slot = { worker, api, ready: api.start(compiled) };
    all.add(slot);
    return slot;
  }

  function giveBack(slot: Slot): void {
    const next = waiting.shift();
    if (next !== undefined) next(slot);
    else idle.push(slot);
  }

  function end(slot: Slot): void {
    slot.worker.terminate();
    all.delete(slot);
  }

  return {
    take() {
      const slot = idle.pop() ?? (all.size < size ? start() : undefined);
      return slot === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slot);
    },
    giveBack,
    async warm() {
      const started: Slot[] = [];
      while (all.size < size) started.push(start());
      await Promise.all(started.map(({ ready, api }) => ready.then(() => api.warm())));
      started.filter((slot) => all.has(slot)).forEach(giveBack);
    },
    replace(slot) {
      end(slot);
      if (waiting.length > 0) giveBack(start()); // otherwise the next take starts one
    },
    close() {
      all.forEach(end);
      idle.length = 0;
    },
  };
}
