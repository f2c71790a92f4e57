import type { Db } from '../../platform/db/scope.ts';

export interface ClosedPosition {
  userId: string;
  symbol: string;
  side: 'LONG' | 'SHORT';
}

/** Follow-up of a stored close, e.g. the deletion of the analysis behind the position. */
export type CloseListener = (db: Db, closed: ClosedPosition) => Promise<void>;

/** Runs every listener for every close. A listener cannot undo the close: its failure is logged as a warning. */
export async function afterClose(
  { db, closeListeners, warn }: { db: Db; closeListeners: readonly CloseListener[]; warn: (error: unknown) => void },
  closed: readonly ClosedPosition[],
): Promise<void> {
  for (const each of closed) {
    for (const listener of closeListeners) {
      try {
        await listener(db, each);
      } catch (error) {
        warn(error);
      }
    }
  }
}
