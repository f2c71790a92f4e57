import { setTimeout as pause } from 'node:timers/promises';
import { RejectionError } from '../http/rejectionError.ts';

const AGAIN_MS = 500;

/**
 * Repeats work of a start while the database is unavailable, for at most `waitMs`: several nodes that start at once make it slow, and one
 * that gave up as soon as a request does would only be started again.
 */
export async function untilAvailable<T>(work: () => Promise<T>, waitMs: number): Promise<T> {
  const endMs = performance.now() + waitMs;
  for (;;)
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof RejectionError && error.rejection.code === 'database_unavailable';
      if (!isAway || performance.now() >= endMs) throw error;
      await pause(AGAIN_MS);
    }
}
