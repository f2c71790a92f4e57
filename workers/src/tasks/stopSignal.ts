import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { RunOptions } from '../protocol/tasks.ts';

export interface StopSignal {
  /** Aborts when the caller does, or at the deadline. */
  signal: AbortSignal;
  isStopped: () => boolean;
  /** Result of the call once `signal` is aborted. */
  failure: () => TaskResult<never>;
  /** Ends the deadline's timer. */
  release: () => void;
}

/** One signal for the two ways in which a run can be stopped from outside; both hosts use it. */
export function stopSignal({ signal, deadlineMs }: RunOptions): StopSignal {
  const deadline = new AbortController();
  const timer = deadlineMs === undefined ? undefined : setTimeout(() => deadline.abort(), deadlineMs);
  const either = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  return {
    signal: either,
    isStopped: () => either.aborted,
    failure: () =>
      signal?.aborted === true
        ? fail('cancelled', 'The run was cancelled.')
        : fail('deadline_exceeded', `The run took longer than ${deadlineMs ?? 0} ms and was stopped.`),
    release: () => clearTimeout(timer),
  };
}
