import type { Candles } from '@sextant/workers/src/protocol.ts';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchCandles, usePrices, useSymbols, useTickDecimals, useWatchedSymbols } from '../../api/market.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { useWatchlist } from '../../api/watchlist.ts';
import { byVolume, DAY_CANDLE_COUNT, DAY_INTERVAL, type DayFigures, dayFigures } from './watchRows.ts';

const CANDLE_POLL_MS = 60_000;
/** Each row asks for candles; a long list shows the rest when it is asked to. */
const SHOWN_MAX = 40;

export interface WatchRow {
  symbol: string;
  decimals: number | undefined;
  last: number | null;
  day: DayFigures | null;
}

const firstError = (asked: readonly { error: Error | null }[]): Error | null =>
  asked.find(({ error }) => error !== null)?.error ?? null;

const bySymbol = <Of extends { symbol: string }>(list: readonly Of[] | undefined, symbol: string): Of | undefined =>
  list?.find((each) => each.symbol === symbol);

function rowOf(symbol: string, last: number | null, candles: Candles | undefined, decimals?: number): WatchRow {
  return {
    symbol,
    decimals,
    last,
    day: last === null || candles === undefined ? null : dayFigures(candles, last),
  };
}

/** The watched symbols with their last price and the figures of their last 24 hours. */
export function useWatchList() {
  const [isWhole, setWhole] = useState(false);
  const own = useWatchlist();
  const universe = useSymbols();
  const all = useWatchedSymbols();
  const decimalsOf = useTickDecimals();
  const symbols = isWhole ? all : all.slice(0, SHOWN_MAX);
  const prices = usePrices(symbols);
  const days = useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles(symbol, DAY_INTERVAL, DAY_CANDLE_COUNT),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchCandles({ symbol, interval: DAY_INTERVAL, limit: DAY_CANDLE_COUNT, signal }),
      refetchInterval: CANDLE_POLL_MS,
    })),
  });
  const rows = symbols.map((symbol, at) =>
    rowOf(symbol, bySymbol(prices.data?.prices, symbol)?.price ?? null, days[at]?.data?.candles, decimalsOf(symbol)),
  );
  const watched = own.data ?? [];
  const isWatched = (row: WatchRow): boolean => watched.includes(row.symbol);
  return {
    rows: [...rows.filter(isWatched), ...byVolume(rows.filter((row) => !isWatched(row)))],
    watched,
    hiddenCount: all.length - symbols.length,
    showAll: () => setWhole(true),
    failure: firstError([own, universe, prices, ...days]),
    isWaiting: own.isPending || universe.isPending || (symbols.length > 0 && prices.isPending),
    exchange: prices.data?.exchange ?? null,
    confirmedAtMs: prices.data?.confirmedAtMs ?? null,
    retry: () => {
      void own.refetch();
      void universe.refetch();
      void prices.refetch();
    },
  };
}
