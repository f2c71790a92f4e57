import './trustedTypes.ts';
import { type Remote, wrap } from 'comlink';
import type { CompiledEngine } from '../engine/engine.ts';
import type { EngineWorkerApi } from './engineWorker.ts';

/** One worker with its engine. */
export interface Slot {
  worker: Worker;
  api: Remote<EngineWorkerApi>;
  /** Its engine stands. Stays pending when the script of the worker could not be fetched: race it with `crashed`. */
  ready: Promise<void>;
  isReady: boolean;
  /** The worker could not start, or ran out of memory: it reported an event, and its calls stay pending for ever. */
  crashed: Promise<'crashed'>;
}

export interface Slots {
  /** A free worker, started when there is room; waits in line otherwise. */
  take(): Promise<Slot>;
  /** The next free worker among those whose engine is ready; undefined when none is ready. */
  takeStarted(): Promise<Slot> | undefined;
  giveBack(slot: Slot): void;
  /** Starts workers up to the maximum and lets each run once; a worker that fails to start frees its slot. */
  warm(): Promise<void>;
  /**
   * Terminates a worker that may never respond, and starts another if a run is waiting. After a worker that crashed before it was ready,
   * another one is started only when no worker is left: then the waiting run reports the failure, instead of waiting for ever.
   */
  replace(slot: Slot, reason: 'stopped' | 'crashed'): void;
  close(): void;
}

export function createSlots(compiled: CompiledEngine, size: number): Slots {
  const all = new Set<Slot>();
  const idle: Slot[] = [];
  const waiting: ((slot: Slot) => void)[] = [];

  function start(): Slot {
    const worker = new Worker(new URL('./engineWorker.ts', import.meta.url), { type: 'module', name: 'engine' });
    const api = wrap<EngineWorkerApi>(worker);
    // Listened to from the first instant: without a network the script fails before anything is run.
    const crashed = new Promise<'crashed'>((resolve) => {
      for (const type of ['error', 'messageerror']) worker.addEventListener(type, () => resolve('crashed'));
    });
    const slot: Slot = { worker, api, ready: api.start(compiled), isReady: false, crashed };
    slot.ready.then(
      () => (slot.isReady = true),
      () => undefined,
    );
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

  function replace(slot: Slot, reason: 'stopped' | 'crashed'): void {
    end(slot);
    const hasFailedToStart = reason === 'crashed' && !slot.isReady;
    // Otherwise the next take starts one.
    if (waiting.length > 0 && (!hasFailedToStart || all.size === 0)) giveBack(start());
  }

  async function warmOne(slot: Slot): Promise<void> {
    const warmed = slot.ready.then(() => slot.api.warm()).catch(() => 'crashed' as const);
    const isCrashed = (await Promise.race([warmed, slot.crashed])) === 'crashed';
    // Closed meanwhile.
    if (!all.has(slot)) return;
    if (isCrashed) replace(slot, 'crashed');
    else giveBack(slot);
  }

  const takeOr = (other: () => Slot | undefined): Promise<Slot> => {
    const slot = idle.pop() ?? other();
    return slot === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slot);
  };

  return {
    take: () => takeOr(() => (all.size < size ? start() : undefined)),
    takeStarted: () => ([...all].some(({ isReady }) => isReady) ? takeOr(() => undefined) : undefined),
    giveBack,
    async warm() {
      const started: Slot[] = [];
      while (all.size < size) started.push(start());
      await Promise.all(started.map(warmOne));
    },
    replace,
    close() {
      all.forEach(end);
      idle.length = 0;
    },
  };
}
