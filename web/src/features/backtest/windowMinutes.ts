import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { joinColumns } from '@sextant/workers/src/minutes.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { proxy } from 'valtio';
import type { LoadedCandles } from '../../api/candles.ts';
import { messageOf } from '../../api/failure.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { canHaveMinutes, knownMinutes, loadMinutes, openMinutes } from './minutes.ts';

/** A search asks for exits in any candle, so it has the minutes of the whole window or none. */

/** More take minutes of the account's share of the exchange, and tens of megabytes: 1,250 candles of 1h. */
export const WINDOW_MINUTES_MAX = 75_000;

interface WindowMinutes {
  /** Candles whose minutes are loaded, of those that are wanted; null while nothing is loading. */
  progress: { done: number; total: number } | null;
  error: string | null;
  /** Counts up when more are here. */
  version: number;
}

export const windowMinutes = proxy<WindowMinutes>({ progress: null, error: null, version: 0 });

const task = createLatestTask();

export const minuteCount = ({ candles, intervalMs }: Pick<LoadedCandles, 'candles' | 'intervalMs'>): number =>
  (candles.time.length * intervalMs) / MINUTE_MS;

export const isAffordable = (loaded: LoadedCandles): boolean =>
  canHaveMinutes(loaded) && minuteCount(loaded) <= WINDOW_MINUTES_MAX;

const missingIn = (loaded: LoadedCandles): number[] => {
  const known = knownMinutes(loaded);
  return Array.from(loaded.candles.time).filter((openMs) => !known.has(openMs));
};

/** The minutes of all candles; undefined unless each was asked for. Candles the exchange has holes in have none. */
export function wholeMinutes(loaded: LoadedCandles): Candles | undefined {
  if (!isAffordable(loaded) || missingIn(loaded).length > 0) return undefined;
  const known = knownMinutes(loaded);
  return joinColumns(Array.from(loaded.candles.time).flatMap((openMs) => known.get(openMs) ?? []));
}

export const isWholeHere = (loaded: LoadedCandles): boolean => isAffordable(loaded) && missingIn(loaded).length === 0;

/** Loads the minutes that are not here, beside everything else. What has come is kept when it is cancelled. */
export async function loadWindowMinutes(loaded: LoadedCandles): Promise<void> {
  Object.assign(windowMinutes, { progress: { done: 0, total: loaded.candles.time.length }, error: null });
  await task.run({
    work: async (signal) => {
      await openMinutes(loaded);
      const missing = missingIn(loaded);
      const here = loaded.candles.time.length - missing.length;
      const onProgress = (done: number) => {
        if (!signal.aborted) windowMinutes.progress = { done: here + done, total: loaded.candles.time.length };
      };
      onProgress(0);
      await loadMinutes(loaded, missing, { signal, onProgress });
    },
    onDone: () => {
      windowMinutes.progress = null;
      windowMinutes.version += 1;
    },
    onFailed: (failure) => {
      windowMinutes.progress = null;
      windowMinutes.error = messageOf(failure, 'The server did not send them.');
    },
  });
}

export function cancelWindowMinutes(): void {
  task.cancel();
  windowMinutes.progress = null;
  windowMinutes.version += 1;
}
