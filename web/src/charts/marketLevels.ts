import { createStore, useStore } from '../state/store.ts';
import type { ChartLevel } from './chartModel.ts';

/** Levels that a feature draws on every chart of a symbol, and what happens when one is dragged. */
export interface MarketLevels {
  bySymbol: Readonly<Record<string, readonly ChartLevel[]>>;
  /** @param price under the pointer */
  onMove: (id: string, price: number) => void;
}

/** Written by one feature, read by the charts of markets, which import no feature. */
export const marketLevels = createStore<MarketLevels>({ bySymbol: {}, onMove: () => undefined });

const none: readonly ChartLevel[] = [];

/** The levels of a symbol, and a mover that takes theirs and leaves others to the chart. */
export function useMarketLevels(symbol: string | null) {
  const { bySymbol, onMove } = useStore(marketLevels);
  const levels = symbol === null ? none : (bySymbol[symbol] ?? none);
  return {
    levels,
    /** @returns whether the level is one of these */
    move: (id: string, price: number): boolean => {
      const isOne = levels.some((level) => level.id === id);
      if (isOne) onMove(id, price);
      return isOne;
    },
  };
}
