import { expose, transfer } from 'comlink';
import type { CompiledEngine } from '../engine/engine.ts';
import {
  fail,
  type TaskMessage,
  type TaskName,
  type TaskOutput,
  type TaskProgress,
  type TaskResult,
} from '../protocol.ts';
import { runTask, startEngine, type TaskEngine } from '../tasks/index.ts';
import { transferablesOf } from '../tasks/transferables.ts';
import { warmUpSearch } from './warmUp.ts';

let engine: TaskEngine | undefined;

const api = {
  /** The page compiles once and sends the module to each worker. */
  start(compiled: CompiledEngine): void {
    engine = startEngine(compiled);
  },
  /** One small search: the code that is hot in a large one is compiled for speed by then. */
  warm(): void {
    if (engine !== undefined) runTask(engine, { name: 'optimize', input: warmUpSearch() });
  },
  run(message: TaskMessage, onProgress?: (progress: TaskProgress) => void): TaskResult<TaskOutput<TaskName>> {
    if (engine === undefined) return fail('engine_trap', 'The worker has no engine.');
    const result = runTask(engine, message, onProgress);
    return transfer(result, transferablesOf(result));
  },
};

export type EngineWorkerApi = typeof api;
expose(api);
