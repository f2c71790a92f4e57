import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { CompiledEngine } from '../engine/engine.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { EnginePool, RunOptions, TaskInput, TaskMessage, TaskName, TaskOutput } from '../protocol/tasks.ts';
import { stopSignal } from '../tasks/stopSignal.ts';
import type { PoolTask } from './poolWorker.ts';

export interface PoolOptions {
  engine: CompiledEngine;
  threads: number;
  /** Tasks that may wait for a thread; one more is rejected as `overloaded`. */
  queueMax: number;
  /** Deadline of runs that do not set one. */
  deadlineMs: number;
  /** JavaScript heap of one thread. The WASM memory has its own maximum, declared in the module. */
  heapMbMax?: number;
}

export interface ThreadPool extends EnginePool {
  /** Starts the first thread, which the first run would wait for. */
  warm: () => Promise<void>;
}

/**
 * Runs tasks on threads of this process. A thread that hangs, dies or is cancelled is replaced; its neighbours go on. The first thread
 * starts with `warm` or the first run: it keeps a processor busy that a starting server needs.
 */
export function createEnginePool({ engine, threads, queueMax, deadlineMs, heapMbMax = 256 }: PoolOptions): ThreadPool {
  let opened: Promise<Piscina> | undefined;
  const open = (): Promise<Piscina> =>
    (opened ??= import('piscina').then(
      (piscina) =>
        new piscina.Piscina({
          filename: new URL('./poolWorker.ts', import.meta.url).href,
          minThreads: Math.min(1, threads),
          maxThreads: threads,
          idleTimeout: 30_000,
          resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
          workerData: engine,
        }),
    ));
  let admitted = 0;
  const closing = new AbortController();

  async function run<N extends TaskName>(
    name: N,
    input: TaskInput<N>,
    options: RunOptions = {},
  ): Promise<TaskResult<TaskOutput<N>>> {
    // Piscina's own maxQueue does not count tasks that carry an AbortSignal, and every task here carries one.
    if (admitted >= threads + queueMax) return fail('overloaded', 'Too many runs are waiting. Try again shortly.');
    const signals = [closing.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const stop = stopSignal({ deadlineMs, ...options, signal: AbortSignal.any(signals) });
    const progress = options.onProgress && openProgress(options.onProgress);
    admitted++;
    try {
      if (stop.isStopped()) return stop.failure();
      const message = { name, input } as TaskMessage;
      const task: PoolTask = progress ? { message, progressPort: progress.sender } : { message };
      const transferList = (progress ? [progress.sender] : []) as never;
      const pool = await open();
      return (await pool.run(task, { signal: stop.signal, transferList })) as TaskResult<TaskOutput<N>>;
    } catch (cause) {
      return stop.isStopped() ? stop.failure() : failureOf(cause);
    } finally {
      admitted--;
      stop.release();
      progress?.close();
    }
  }

  return {
    run,
    threads,
    warm: async () => {
      await open();
    },
    close: async () => {
      closing.abort();
      await (await opened)?.destroy();
    },
  };
}

/** One port per run, because messages of a thread do not identify their run. */
function openProgress(onProgress: (progress: TaskProgress) => void): { sender: MessagePort; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onProgress);
  port1.unref();
  return { sender: port2, close };

  function close(): void {
    // The result can arrive before the last progress.
    for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1)) {
      onProgress(last.message as TaskProgress);
    }
    port1.close();
  }
}

function failureOf(cause: unknown): TaskResult<never> {
  const { code } = cause as { code?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return fail('out_of_memory', 'The run needs more memory than one run may use.');
  throw cause; // a bug: keeps the thread's stack, and the caller's error handler owns it
}
