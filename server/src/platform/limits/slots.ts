import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../errors.ts';
import { RejectionError } from '../http/rejectionError.ts';

export interface SlotOptions {
  /** Slots of all keys together. */
  slotCount: number;
  /** Slots of one key. */
  perKey: number;
  /** Maximum of waiting callers per key. */
  queueMaxPerKey: number;
  waitMsMax: number;
}

export interface Slots {
  /**
   * Waits for a slot and acquires it; call the result to release it. Throws `overloaded` when the queue of the key is full, the wait is too
   * long, or `signal` aborts.
   */
  take: (key: string, signal?: AbortSignal) => Promise<() => void>;
}

interface Waiter {
  key: string;
  admit: () => void;
}

/** Limits the concurrency of each key (usually a user), so that one cannot use all shared slots. */
export function createSlots({ slotCount, perKey, queueMaxPerKey, waitMsMax }: SlotOptions): Slots {
  const inside = new Map<string, number>();
  let insideCount = 0;
  let waiting: Waiter[] = [];

  const isFree = (key: string): boolean => insideCount < slotCount && (inside.get(key) ?? 0) < perKey;

  function enter(key: string): () => void {
    insideCount += 1;
    inside.set(key, (inside.get(key) ?? 0) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      insideCount -= 1;
      const left = (inside.get(key) ?? 1) - 1;
      if (left === 0) inside.delete(key);
      else inside.set(key, left);
      // The first that may enter: the slots of waiters before it may all be taken.
      const next = waiting.find((waiter) => isFree(waiter.key));
      if (next === undefined) return;
      waiting = waiting.filter((waiter) => waiter !== next);
      next.admit();
    };
  }

  return {
    take: async (key, signal) => {
      if (signal?.aborted === true) throw busy();
      if (isFree(key)) return enter(key);
      if (waiting.filter((waiter) => waiter.key === key).length >= queueMaxPerKey) throw busy();
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          key,
          admit: () => {
            stopWaiting();
            resolve(enter(key));
          },
        };
        const giveUp = (): void => {
          stopWaiting();
          waiting = waiting.filter((other) => other !== waiter);
          reject(busy());
        };
        const timer = setTimeout(giveUp, waitMsMax);
        const stopWaiting = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
        };
        signal?.addEventListener('abort', giveUp);
        waiting.push(waiter);
      });
    },
  };
}

/** Runs work in a slot and releases it however the work ends. */
export async function runInSlot<T>(slots: Slots, key: string, work: () => Promise<T>): Promise<Outcome<T>> {
  let leave: () => void;
  try {
    leave = await slots.take(key);
  } catch (error) {
    if (error instanceof RejectionError) return failWith(error.rejection);
    throw error;
  }
  try {
    return ok(await work());
  } finally {
    leave();
  }
}

const busy = (): RejectionError =>
  new RejectionError({
    code: 'overloaded',
    message: 'Too many parallel requests, or the server is busy. Try again shortly.',
    retryAfterS: 2,
  });
