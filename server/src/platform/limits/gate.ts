import { RefusalError } from '../http/refusalError.ts';

export interface Gate {
  /** Runs `work` when one of the places is free. Throws `overloaded` when the queue is full. */
  run: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Bounds how much of something runs at once and how much may wait for it. */
export function createGate({ placeCount, queueMax }: { placeCount: number; queueMax: number }): Gate {
  let runningCount = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) runningCount -= 1;
    else next();
  };
  return {
    run: async (work) => {
      if (runningCount < placeCount) runningCount += 1;
      else if (waiting.length < queueMax) await new Promise<void>((resolve) => waiting.push(resolve));
      else
        throw new RefusalError({
          code: 'overloaded',
          message: 'The server is busy. Try again shortly.',
          retryAfterS: 2,
        });
      return work().finally(leave);
    },
  };
}
