import { type BrowserPool, createBrowserPool, fetchEngine, NOT_LOADED } from '@sextant/workers/src/browser/pool.ts';
import type { CompiledEngine } from '@sextant/workers/src/engine/engine.ts';
import type { TaskError, TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { RunOptions, TaskInput, TaskName, TaskOutput } from '@sextant/workers/src/protocol/tasks.ts';
import { WordedError } from '../api/failure.ts';
import { loadAgain } from '../ui/loadAgain.ts';
import wasmUrl from '../../../engine-as/build/engine.wasm?url';

/** At least two, so that a long search or the honesty figures do not block a slider. */
const WORKERS = Math.max(2, (navigator.hardwareConcurrency || 2) - 1);

let compiling: Promise<CompiledEngine> | undefined;
let pool: Promise<BrowserPool> | undefined;

/** Fetched and compiled once. A failure is tried again at the next call. */
export function compiledEngine(): Promise<CompiledEngine> {
  compiling ??= loadAgain(() => fetchEngine(wasmUrl)).catch((failure: unknown) => {
    compiling = undefined;
    // A fetch without a network fails with the browser's message.
    throw failure instanceof TypeError ? new WordedError(NOT_LOADED) : failure;
  });
  return compiling;
}

/** The engine in Web Workers, started on first use and reused. A failed start is retried at the next call. */
export function enginePool(): Promise<BrowserPool> {
  pool ??= compiledEngine()
    .then((compiled) => createBrowserPool(compiled, WORKERS))
    .catch((failure: unknown) => {
      pool = undefined;
      throw failure;
    });
  return pool;
}

/** Fetches, compiles and starts everything before the first click needs it. A failure shows when something is run. */
export function warmEngine(): void {
  enginePool()
    .then((started) => started.warm())
    .catch(() => undefined);
}

/** The worker's script failed to load: nothing was run. */
class EngineMissing extends WordedError {}
const isWorkerMissing = (failure: unknown): boolean => failure instanceof EngineMissing;

/** Runs a task in a worker. @throws WordedError when the engine rejects it or fails */
export async function runEngineTask<N extends TaskName>(
  name: N,
  input: TaskInput<N>,
  options?: RunOptions,
): Promise<TaskOutput<N>> {
  const started = await enginePool();
  return loadAgain(async () => readResult(await started.run(name, input, options)), { canHeal: isWorkerMissing });
}

/** @throws WordedError with the failure's message */
export function readResult<T>(result: TaskResult<T>): T {
  if (result.ok) return result.value;
  const words = describeTaskError(result.error);
  throw words === NOT_LOADED ? new EngineMissing(words) : new WordedError(words);
}

export function describeTaskError({ code, message }: TaskError): string {
  if (code === 'deadline_exceeded') return 'the run was stopped after one minute';
  if (code === 'out_of_memory') return 'too many candles for the engine; use a shorter window';
  return message;
}
