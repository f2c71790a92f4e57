import { failWith, type Result } from '../core/result.ts';

export type TaskErrorCode =
  | 'bad_input'
  | 'too_short'
  | 'not_trading'
  | 'out_of_memory'
  | 'engine_trap'
  | 'cancelled'
  | 'deadline_exceeded'
  | 'overloaded';

/** `field` names the input that is wrong, in the task's own names (`params.entryThreshold`). */
export interface TaskError {
  code: TaskErrorCode;
  message: string;
  field?: string;
}

export type TaskResult<T> = Result<T, TaskError>;

/** Done and total in the task's own unit of work; `done === total` is the last one. */
export interface TaskProgress {
  done: number;
  total: number;
}

export const fail = (code: TaskErrorCode, message: string, field?: string): TaskResult<never> =>
  failWith(field === undefined ? { code, message } : { code, message, field });
