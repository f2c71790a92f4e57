import type { CompiledEngine } from '../../src/engine/engine.ts';
import type { TaskProgress, TaskResult } from '../../src/protocol/taskResult.ts';
import type { TaskMessage, TaskName, TaskOutput } from '../../src/protocol/tasks.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { transferablesOf } from '../../src/tasks/transferables.ts';

/** First the engine, then one task at a time. */
export type ToThread = { engine: CompiledEngine } | { message: TaskMessage; hasProgress: boolean };
export type FromThread = { progress: TaskProgress } | { result: TaskResult<TaskOutput<TaskName>> };

/** WebAssembly memory only grows: above this a thread starts afresh after the task. */
const STORED_BYTES_MAX = 64 * 1024 * 1024;

/** The thread's side: returns the listener of its messages. */
export function serve(post: (message: FromThread, buffers: ArrayBuffer[]) => void): (sent: ToThread) => void {
  let compiled: CompiledEngine | undefined;
  let engine: TaskEngine | undefined;
  return (sent) => {
    if ('engine' in sent) {
      compiled = sent.engine;
      engine = startEngine(compiled);
      return;
    }
    if (engine === undefined || compiled === undefined) throw new Error('The thread has no engine.');
    const onProgress = sent.hasProgress ? (progress: TaskProgress) => post({ progress }, []) : undefined;
    const result = runTask(engine, sent.message, onProgress);
    if (engine.engine.raw.memory.buffer.byteLength > STORED_BYTES_MAX) engine = startEngine(compiled);
    post({ result }, transferablesOf(result));
  };
}
