import type { EnginePool, RunOptions, TaskInput, TaskMessage, TaskName, TaskOutput } from '../protocol/tasks.ts';
import type { TaskResult } from '../protocol/taskResult.ts';
import { runTask, type TaskEngine } from '../tasks/index.ts';

/** Works with a pool that is closed afterwards, whatever happens. */
export async function onPool<T>(
  openPool: () => Promise<EnginePool>,
  work: (pool: EnginePool) => Promise<T>,
): Promise<T> {
  const pool = await openPool();
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

/** The engine of this thread as a pool. */
export const onThisThread = (engine: TaskEngine): EnginePool => ({
  run: <N extends TaskName>(name: N, input: TaskInput<N>, { onProgress }: RunOptions = {}) =>
    Promise.resolve(runTask(engine, { name, input } as TaskMessage, onProgress) as TaskResult<TaskOutput<N>>),
  close: () => Promise.resolve(),
  threads: 1,
});
