import type { Db } from '../../platform/db/scope.ts';
import { repeat } from '../../platform/repeat.ts';
import { expireHolds, type OnExpired } from './expireHolds.ts';
import { findViolations, type Violation } from './invariants.ts';

/** `unknown` until the first look, and when the last look failed. */
export type LedgerState = 'unknown' | 'ok' | 'broken';

interface Log {
  error: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

export interface LedgerWatch {
  state: () => LedgerState;
  /** One look now: everything that is wrong. */
  check: () => Promise<Violation[]>;
  /** Gives expired holds back now. */
  sweep: () => Promise<number>;
  /** Looks every minute and sweeps every five seconds; the answer ends both. */
  start: (log: Log) => () => void;
}

const checkMs = 60_000;
const sweepMs = 5000;

export function createLedgerWatch(db: Db, onExpired: OnExpired = {}): LedgerWatch {
  let state: LedgerState = 'unknown';
  const check = async (): Promise<Violation[]> => {
    try {
      const found = await findViolations(db);
      state = found.length === 0 ? 'ok' : 'broken';
      return found;
    } catch (error) {
      // A ledger that was seen to be broken stays so until a look says otherwise.
      if (state === 'ok') state = 'unknown';
      throw error;
    }
  };
  const sweep = (): Promise<number> => expireHolds(db, onExpired);
  return {
    state: () => state,
    check,
    sweep,
    start: (log) => {
      const onError = (error: unknown): void => log.warn({ err: error }, 'the ledger was not looked at');
      const look = async (): Promise<void> => {
        const found = await check();
        if (found.length > 0)
          log.error({ violations: found.slice(0, 20), count: found.length }, 'the ledger is broken');
      };
      const stops = [repeat(checkMs, look, onError), repeat(sweepMs, sweep, onError)];
      return () => stops.forEach((stop) => stop());
    },
  };
}
