import { onUserReset } from './userReset.ts';

interface Task<Value> {
  /** May reject after `signal` was aborted: the outcome of a superseded task is dropped. */
  work: (signal: AbortSignal) => Promise<Value>;
  onDone: (value: Value) => void;
  /** Without it `run` rejects with the failure. */
  onFailed?: (failure: unknown) => void;
  /** Milliseconds to wait before the work starts; a task superseded meanwhile never starts. */
  delayMs?: number;
}

/** Runs tasks of which only the newest counts: a newer one aborts the running one, whose result is dropped. */
interface LatestTask {
  /** @returns whether the task was the newest to its end */
  run: <Value>(task: Task<Value>) => Promise<boolean>;
  /** Aborts the running task. */
  cancel: () => void;
}

/** The running task is cancelled when the user changes, so that the next user does not get its result. */
export function createLatestTask(): LatestTask {
  let current: AbortController | undefined;
  const cancel = (): void => {
    current?.abort();
    current = undefined;
  };
  onUserReset(cancel);
  return {
    cancel,
    run: async ({ work, onDone, onFailed, delayMs }) => {
      cancel();
      const { signal } = (current = new AbortController());
      try {
        if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
        signal.throwIfAborted();
        const value = await work(signal);
        if (signal.aborted) return false;
        onDone(value);
      } catch (failure) {
        if (signal.aborted) return false;
        if (onFailed === undefined) throw failure;
        onFailed(failure);
      }
      return true;
    },
  };
}
