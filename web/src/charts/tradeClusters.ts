import type { ChartTrade } from './chartModel.ts';

/** What opened and closed within a stretch of candles. */
export interface TradeCluster {
  /** First and last candle, both included. */
  first: number;
  last: number;
  longs: number;
  shorts: number;
  wins: number;
  losses: number;
}

interface Shown {
  /** Candles in sight, both included; a cluster that reaches over the edge is counted whole, so that dragging changes no figure. */
  from: number;
  to: number;
  /** Candles of a cluster. */
  size: number;
}

/** A cluster takes the width of its figures. */
const CLUSTER_PX = 46;
/** Marks with less room on the average hide each other and the candles. */
const MARK_ROOM_PX = 8;

/**
 * Candles that a cluster holds, a power of two: zooming merges clusters and dragging moves them, and neither regroups them.
 * @param barPx pixels of a candle
 */
export function clusterSize(barPx: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(CLUSTER_PX / barPx)));
}

/** Whether so many trades in sight have to be counted instead of drawn one by one. */
export const isDense = (tradeCount: number, widthPx: number): boolean => tradeCount * 2 * MARK_ROOM_PX > widthPx;

/** Entries by side and exits by outcome, counted over equal stretches of candles. Stretches without any are left out. */
export function clusterTrades(trades: readonly ChartTrade[], { from, to, size }: Shown): TradeCluster[] {
  const clusters = new Map<number, TradeCluster>();
  const clusterAt = (index: number): TradeCluster | undefined => {
    const at = Math.floor(index / size);
    if (at < Math.floor(from / size) || at > Math.floor(to / size)) return undefined;
    const known = clusters.get(at);
    if (known !== undefined) return known;
    const made = { first: at * size, last: (at + 1) * size - 1, longs: 0, shorts: 0, wins: 0, losses: 0 };
    clusters.set(at, made);
    return made;
  };
  for (const { side, entryIndex, exitIndex, netPnl } of trades) {
    const opened = clusterAt(entryIndex);
    if (opened !== undefined) opened[side === 'LONG' ? 'longs' : 'shorts']++;
    const closed = clusterAt(exitIndex);
    if (closed !== undefined) closed[netPnl > 0 ? 'wins' : 'losses']++;
  }
  return [...clusters.values()].sort((a, b) => a.first - b.first);
}
