import type { Trade } from '@sextant/workers/src/protocol.ts';
import type { GridSort } from '../../../ui/grid/gridColumns.ts';

export type TradeColumn =
  | 'number'
  | 'side'
  | 'entryTimeMs'
  | 'entryPrice'
  | 'exitPrice'
  | 'bars'
  | 'closeReason'
  | 'fees'
  | 'netPnl'
  | 'returnOnMargin'
  | 'adverseExcursionFraction'
  | 'favourableExcursionFraction';

export type TradeSort = GridSort<TradeColumn>;

const valueOf = (trade: Trade, index: number, column: TradeColumn): number | string => {
  if (column === 'number') return index;
  if (column === 'bars') return trade.exitIndex - trade.entryIndex;
  return trade[column];
};

/** Order of the trades as indices; equal values keep the order of time. */
export function sortedTrades(trades: readonly Trade[], { column, isDescending }: TradeSort): number[] {
  const keyed = trades.map((trade, index) => ({ index, key: valueOf(trade, index, column) }));
  const sign = isDescending ? -1 : 1;
  keyed.sort((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -sign : sign));
  return keyed.map(({ index }) => index);
}

/** A click on the sorted column turns it round; on another one starts with what one looks for there first. */
export function nextSort(sort: TradeSort, column: TradeColumn): TradeSort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: column !== 'number' && column !== 'entryTimeMs' && column !== 'side' };
}
