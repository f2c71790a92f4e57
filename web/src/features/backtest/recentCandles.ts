import type { LoadedCandles } from '../../api/candles.ts';

/** Longer histories are read from the browser's store. */
const CANDLES_MAX = 5000;
const SETUPS_MAX = 12;

interface RecentCandles {
  /** Remembers candles under the text of their setup; the oldest of twelve are dropped. */
  note: (setup: string, loaded: LoadedCandles) => void;
  /**
   * Candles of a setup, while the next one has not closed.
   * @param untilMs end of a range of dates, epoch ms: candles that reach it stay the newest
   */
  read: (setup: string, untilMs?: number) => LoadedCandles | undefined;
  clear: () => void;
}

/** Candles of this visit, so that returning to a setup needs no request. @param nowMs server time, epoch ms */
export function createRecentCandles(nowMs: () => number): RecentCandles {
  /** The newest last. */
  const known = new Map<string, LoadedCandles>();
  return {
    note: (setup, loaded) => {
      if (loaded.isOffline === true || loaded.candles.time.length > CANDLES_MAX) return;
      known.delete(setup);
      known.set(setup, loaded);
      const [oldest] = known.keys();
      if (known.size > SETUPS_MAX && oldest !== undefined) known.delete(oldest);
    },
    read: (setup, untilMs = Infinity) => {
      const loaded = known.get(setup);
      if (loaded === undefined) return undefined;
      const closeMs = (loaded.candles.time.at(-1) ?? 0) + loaded.intervalMs;
      return untilMs <= closeMs || nowMs() < closeMs + loaded.intervalMs ? loaded : undefined;
    },
    clear: () => known.clear(),
  };
}
