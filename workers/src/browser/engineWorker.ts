import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { expose, transfer } from 'comlink';
import type { CompiledEngine } from '../engine/engine.ts';
import type { Candles } from '../protocol/backtest.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { TaskMessage, TaskName, TaskOutput } from '../protocol/tasks.ts';
import type { OptimizeInput } from '../protocol/optimize.ts';
import type { Digest } from '../tasks/hashes.ts';
import { runTask, runTaskWith, startEngine, type TaskEngine } from '../tasks/index.ts';
import { transferablesOf } from '../tasks/transferables.ts';
import { classicDefaults, defaultCosts } from '../protocol/wire/defaults.ts';

let engine: TaskEngine | undefined;

/** Absent on http, except localhost. */
const { subtle } = crypto as { subtle?: SubtleCrypto };
const digest: Digest | undefined = subtle && ((bytes) => subtle.digest('SHA-256', bytes));

const api = {
  /** The page compiles once and sends the module to each worker. */
  start(compiled: CompiledEngine): void {
    engine = startEngine(compiled);
  },
  /** One small search: the code that is hot in a large one is compiled for speed by then. */
  warm(): void {
    if (engine !== undefined) runTask(engine, { name: 'optimize', input: warmUpSearch() });
  },
  async run(
    message: TaskMessage,
    onProgress?: (progress: TaskProgress) => void,
  ): Promise<TaskResult<TaskOutput<TaskName>>> {
    if (engine === undefined) return fail('engine_trap', 'The worker has no engine.');
    const result = digest
      ? await runTaskWith(digest, engine, message, onProgress)
      : runTask(engine, message, onProgress);
    return transfer(result, transferablesOf(result));
  },
};

export type EngineWorkerApi = typeof api;
expose(api);

const COUNT = 600;

/** Generated candles that rise and fall, so that trades open and close. The result is discarded. */
function waves(): Candles {
  const column = (of: (i: number) => number): Float64Array => Float64Array.from({ length: COUNT }, (_, i) => of(i));
  const price = (i: number): number => 100 + 5 * Math.sin(i / 9) + 3 * Math.sin(i / 23);
  return {
    time: column((i) => i * HOUR_MS),
    open: column((i) => price(i - 1)),
    high: column((i) => Math.max(price(i), price(i - 1)) + 0.3),
    low: column((i) => Math.min(price(i), price(i - 1)) - 0.3),
    close: column(price),
    volume: column((i) => 10 + (i % 7)),
  };
}

function warmUpSearch(): OptimizeInput {
  return {
    candles: waves(),
    params: classicDefaults,
    costs: defaultCosts,
    scoredCount: 250,
    samples: 400,
    target: 'pnl',
    seed: 1,
    withSets: true,
  };
}
