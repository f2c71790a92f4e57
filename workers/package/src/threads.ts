import type { CompiledEngine } from '../../src/engine/engine.ts';
import { fail, type TaskProgress, type TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, RunOptions, TaskInput, TaskMessage, TaskName, TaskOutput } from '../../src/protocol/tasks.ts';
import { stopSignal } from '../../src/tasks/stopSignal.ts';
import type { FromThread, ToThread } from './serve.ts';

/** What the worker of Node and that of a browser have in common. */
export interface Thread {
  post(message: ToThread): void;
  /** One listener of each kind; the last one set counts. */
  onMessage(listener: (message: FromThread) => void): void;
  onFailure(listener: (message: string) => void): void;
  end(): void;
}

export interface ThreadsOptions {
  engine: CompiledEngine;
  count: number;
  start: () => Thread;
}

interface Queue {
  /** A free thread, started when there is room; undefined once the signal aborts. */
  take(signal: AbortSignal): Promise<Thread | undefined>;
  giveBack(thread: Thread): void;
  /** Ends a thread that may never respond. */
  replace(thread: Thread): void;
  close(): void;
}

function createQueue({ engine, count, start }: ThreadsOptions): Queue {
  const idle: Thread[] = [];
  const waiting: ((thread: Thread | undefined) => void)[] = [];
  const all = new Set<Thread>();
  let isClosed = false;

  function open(): Thread {
    const thread = start();
    all.add(thread);
    thread.post({ engine });
    return thread;
  }

  function giveBack(thread: Thread): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  }

  return {
    take(signal) {
      const ready = idle.pop() ?? (all.size < count ? open() : undefined);
      if (ready !== undefined) return Promise.resolve(ready);
      return new Promise((resolve) => {
        waiting.push(resolve);
        const leave = (): void => {
          const at = waiting.indexOf(resolve);
          if (at >= 0) waiting.splice(at, 1);
          resolve(undefined);
        };
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    giveBack,
    replace(thread) {
      all.delete(thread);
      thread.end();
      if (waiting.length > 0 && !isClosed) giveBack(open());
    },
    close() {
      isClosed = true;
      for (const thread of all) thread.end();
      all.clear();
    },
  };
}

/**
 * Runs tasks on threads that each own an engine. They start when runs need them. A stopped run ends its thread, because a loop inside
 * WebAssembly cannot be interrupted; the next run gets a new one.
 */
export function createThreads(options: ThreadsOptions): EnginePool {
  const queue = createQueue(options);
  const closing = new AbortController();

  async function run<N extends TaskName>(
    name: N,
    input: TaskInput<N>,
    { signal, onProgress, ...deadline }: RunOptions = {},
  ): Promise<TaskResult<TaskOutput<N>>> {
    const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
    const stop = stopSignal({ ...deadline, signal: AbortSignal.any(signals) });
    try {
      const thread = stop.isStopped() ? undefined : await queue.take(stop.signal);
      if (thread === undefined) return stop.failure();
      const outcome = await runOn(thread, { name, input } as TaskMessage, stop.signal, onProgress);
      if (outcome.kind === 'result') queue.giveBack(thread);
      else queue.replace(thread);
      if (outcome.kind === 'stopped') return stop.failure();
      if (outcome.kind === 'failed') return fail('engine_trap', outcome.message);
      return outcome.result;
    } finally {
      stop.release();
    }
  }

  return {
    run,
    threads: options.count,
    close: () => {
      closing.abort();
      queue.close();
      return Promise.resolve();
    },
  };
}

type Outcome =
  | { kind: 'result'; result: TaskResult<TaskOutput<TaskName>> }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string };

function runOn(
  thread: Thread,
  message: TaskMessage,
  signal: AbortSignal,
  onProgress: ((progress: TaskProgress) => void) | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const stop = (): void => resolve({ kind: 'stopped' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    thread.onFailure((text) => resolve({ kind: 'failed', message: text }));
    thread.onMessage((sent) => {
      if ('result' in sent) resolve({ kind: 'result', result: sent.result });
      else onProgress?.(sent.progress);
    });
    thread.post({ message, hasProgress: onProgress !== undefined });
  });
}
