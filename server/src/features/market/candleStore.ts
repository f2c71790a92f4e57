import { candleBytes } from './columns.ts';
import type { Series } from './series.ts';

export interface CandleStore {
  get: (key: string) => Series | undefined;
  /** Reads without marking the series as used. */
  peek: (key: string) => Series | undefined;
  set: (key: string, series: Series) => void;
  delete: (key: string) => void;
  bytes: () => number;
  size: () => number;
}

export interface Pinning {
  /** Whether a series is pinned: it may be shortened for others, never dropped. */
  isPinned: (key: string) => boolean;
  shorten: (key: string, series: Series) => Series;
}

const nothingPinned: Pinning = { isPinned: () => false, shorten: (_, series) => series };

/** Stores series up to `bytesMax` in total; drops the least recently used first. */
export function createCandleStore(bytesMax: number, pinning: Pinning = nothingPinned): CandleStore {
  // A Map iterates in insertion order: moving an entry to the end on use orders entries by last use.
  const cache = new Map<string, Series>();
  let bytes = 0;
  const sizeOf = (series: Series): number => series.candles.time.length * candleBytes + 512;

  function remove(key: string): void {
    const series = cache.get(key);
    if (series === undefined) return;
    bytes -= sizeOf(series);
    cache.delete(key);
  }

  return {
    get(key) {
      const series = cache.get(key);
      if (series === undefined) return undefined;
      cache.delete(key);
      cache.set(key, series);
      return series;
    },
    set(key, series) {
      remove(key);
      cache.set(key, series);
      bytes += sizeOf(series);
      for (const [oldest, each] of cache) {
        if (bytes <= bytesMax || oldest === key) break;
        if (!pinning.isPinned(oldest)) {
          remove(oldest);
          continue;
        }
        const shorter = pinning.shorten(oldest, each);
        cache.set(oldest, shorter);
        bytes += sizeOf(shorter) - sizeOf(each);
      }
    },
    peek: (key) => cache.get(key),
    delete: remove,
    bytes: () => bytes,
    size: () => cache.size,
  };
}
