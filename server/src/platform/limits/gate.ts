import { RejectionError } from '../http/rejectionError.ts';

export interface Gate {
  /**
   * Runs `work` when a slot is free. Throws `overloaded` when the queue is full.
   * @param key source of the work, for example a network: one key cannot block the others
   */
  run: <T>(work: () => Promise<T>, key?: string) => Promise<T>;
}

export interface GateRules {
  slotCount: number;
  queueMax: number;
}

interface Waiting {
  key: string;
  admit: () => void;
  rejectBusy: () => void;
}

/**
 * Limits concurrency and queue length. Keys take turns. One key may fill the queue while no other waits; when the queue is full, a
 * key with fewer waiting replaces the newest entry of the key with the most.
 */
export function createGate({ slotCount, queueMax }: GateRules): Gate {
  let runningCount = 0;
  let waiting: Waiting[] = [];
  const running = new Map<string, number>();
  const waitingOf = (key: string): number => waiting.filter((each) => each.key === key).length;

  const enter = (key: string): void => {
    runningCount += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };
  const leave = (key: string): void => {
    runningCount -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    // The key with the fewest running goes first; among equals, the longest waiting.
    const least = Math.min(...waiting.map((each) => running.get(each.key) ?? 0));
    const next = waiting.find((each) => (running.get(each.key) ?? 0) === least);
    if (next === undefined) return;
    waiting = waiting.filter((each) => each !== next);
    next.admit();
  };
  const makeRoom = (key: string): void => {
    if (waiting.length < queueMax) return;
    const most = Math.max(0, ...waiting.map((each) => waitingOf(each.key)));
    const last = waiting.findLast((each) => waitingOf(each.key) === most);
    if (last === undefined || most <= waitingOf(key) + 1) throw busy();
    waiting = waiting.filter((each) => each !== last);
    last.rejectBusy();
  };

  return {
    run: async (work, key = '') => {
      if (runningCount < slotCount) enter(key);
      else {
        makeRoom(key);
        await new Promise<void>((resolve, reject) =>
          waiting.push({
            key,
            admit: () => {
              enter(key);
              resolve();
            },
            rejectBusy: () => reject(busy()),
          }),
        );
      }
      return work().finally(() => leave(key));
    },
  };
}

const busy = (): RejectionError =>
  new RejectionError({ code: 'overloaded', message: 'The server is busy. Try again shortly.', retryAfterS: 2 });
