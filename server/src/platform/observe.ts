/** Work whose duration and outcome an operator wants to see. */
export interface Operation<T = unknown> {
  /** `outside`: a request to another service; `job`: one attempt of a background job. */
  kind: 'outside' | 'job';
  /** Service or queue: one of a small fixed set, because it becomes a label. Never a URL, which may hold a secret. */
  name: string;
  /** Whether a result reports a failure; otherwise only a throw does. */
  isFailure?: (result: T) => boolean;
  /** Whether a throw is no failure, like that of a job that waits for capacity. */
  isExpected?: (error: unknown) => boolean;
}

export type OperationOutcome = 'ok' | 'failed';

/** Runs the work and sees how it ends. It must return the result and the error of `work` unchanged. */
export type Observer = <T>(operation: Operation<T>, work: () => Promise<T>) => Promise<T>;

const observers = new Set<Observer>();

/** Adds an observer of all operations of this thread. @returns removes it */
export function addObserver(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** Runs the work as an operation; without an observer it only calls `work`. */
export function observe<T>(operation: Operation<T>, work: () => Promise<T>): Promise<T> {
  let run = work;
  for (const observer of observers) {
    const inner = run;
    run = () => observer(operation, inner);
  }
  return run();
}

/** An observer that calls `onEnd` with the outcome and the duration in seconds. */
export const createTimer =
  (onEnd: (operation: Operation, outcome: OperationOutcome, seconds: number) => void): Observer =>
  async <T>(operation: Operation<T>, work: () => Promise<T>) => {
    const startedMs = performance.now();
    const end = (outcome: OperationOutcome): void =>
      onEnd(operation as Operation, outcome, (performance.now() - startedMs) / 1000);
    try {
      const result = await work();
      end(operation.isFailure?.(result) === true ? 'failed' : 'ok');
      return result;
    } catch (error) {
      end(operation.isExpected?.(error) === true ? 'ok' : 'failed');
      throw error;
    }
  };
