import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { CompiledEngine } from '../engine/engine.ts';
import type { TaskMessage } from '../protocol/tasks.ts';
import { runTask, startEngine } from '../tasks/index.ts';
import { transferablesOf } from '../tasks/transferables.ts';

export interface PoolTask {
  message: TaskMessage;
  /** Where progress goes; absent without a listener. */
  progressPort?: MessagePort;
}

/** WASM memory only grows. Above this a thread starts afresh after the task instead of keeping it. */
const CACHED_BYTES_MAX = 16 * 1024 * 1024;

const compiled = workerData as CompiledEngine;
// One engine per thread; tasks never share an arena.
let engine = startEngine(compiled);

export default function runInThread({ message, progressPort }: PoolTask): unknown {
  const result = runTask(engine, message, (progress) => progressPort?.postMessage(progress));
  progressPort?.close();
  if (engine.engine.raw.memory.buffer.byteLength > CACHED_BYTES_MAX) engine = startEngine(compiled);
  if (!result.ok) return result;
  const buffers = transferablesOf(result.value);
  // Moved, not cloned: an optimisation returns megabytes of columns.
  return move({
    get [transferableSymbol]() {
      return buffers as never;
    },
    get [valueSymbol]() {
      return result;
    },
  });
}
