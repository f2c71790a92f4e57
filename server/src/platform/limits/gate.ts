import { RefusalError } from '../http/refusalError.ts';

export interface Gate {
  /**
   * Runs `work` when one of the places is free. Throws `overloaded` when the queue is full.
   * @param key whose work it is: where the gate bounds that, one key cannot take the places and the queue of all
   */
  run: <T>(work: () => Promise<T>, key?: string) => Promise<T>;
}

export interface GateRules {
  placeCount: number;
  queueMax: number;
  /** Of one key, running and waiting together; all there is when absent. */
  perKeyMax?: number;
}

interface Waiting {
  key: string;
  admit: () => void;
}

/** Bounds how much of something runs at once and how much may wait for it. Keys that wait take turns. */
export function createGate({ placeCount, queueMax, perKeyMax = placeCount + queueMax }: GateRules): Gate {
  let runningCount = 0;
  let waiting: Waiting[] = [];
  const running = new Map<string, number>();
  const countOf = (key: string): number =>
    (running.get(key) ?? 0) + waiting.reduce((count, each) => count + (each.key === key ? 1 : 0), 0);

  const enter = (key: string): void => {
    runningCount += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };
  const leave = (key: string): void => {
    runningCount -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    // Whose key runs least goes first; among equals, who has waited longest.
    const least = Math.min(...waiting.map((each) => running.get(each.key) ?? 0));
    const next = waiting.find((each) => (running.get(each.key) ?? 0) === least);
    if (next === undefined) return;
    waiting = waiting.filter((each) => each !== next);
    next.admit();
  };

  return {
    run: async (work, key = '') => {
      if (countOf(key) >= perKeyMax) throw busy();
      if (runningCount < placeCount) enter(key);
      else if (waiting.length < queueMax)
        await new Promise<void>((resolve) =>
          waiting.push({
            key,
            admit: () => {
              enter(key);
              resolve();
            },
          }),
        );
      else throw busy();
      return work().finally(() => leave(key));
    },
  };
}

const busy = (): RefusalError =>
  new RefusalError({ code: 'overloaded', message: 'The server is busy. Try again shortly.', retryAfterS: 2 });
