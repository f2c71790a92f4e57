import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchCandles, usePrices, useWatchedSymbols } from '../../data/market.ts';
import { useWatchlist } from '../../data/watchlist.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { useServedExchange, useSymbols, useTickDecimals } from '../../data/symbols.ts';

/** A day of 15-minute candles plus the candle before it, whose close is the price 24 hours ago. */
const DAY_INTERVAL = '15m';
const DAY_CANDLE_COUNT = 97;

interface DayFigures {
  /** Change from the price 24 hours ago to the last one, a fraction. */
  changeFraction: number;
  high: number;
  low: number;
  /** Position of the last price between low and high, 0..1. */
  place: number;
  /** Traded in these hours, quote currency: each candle's volume at its close. */
  volumeUsdt: number;
  /** Closes for the sparkline, the last price at its end. */
  closes: number[];
}

/**
 * Figures of the last 24 hours.
 * @param candles DAY_CANDLE_COUNT closed 15-minute candles, oldest first
 * @returns null when the candles do not reach back a whole day: a shorter change would pass for a daily one
 */
export function dayFigures(candles: Candles, lastPrice: number): DayFigures | null {
  const count = candles.time.length;
  const first = candles.time[0];
  const base = candles.close[0];
  const newest = candles.time[count - 1];
  if (first === undefined || newest === undefined || base === undefined || newest - first < DAY_MS) return null;
  const high = candles.high.slice(1).reduce((most, value) => Math.max(most, value), lastPrice);
  const low = candles.low.slice(1).reduce((least, value) => Math.min(least, value), lastPrice);
  return {
    changeFraction: lastPrice / base - 1,
    high,
    low,
    place: high > low ? (lastPrice - low) / (high - low) : 0.5,
    volumeUsdt: candles.volume.slice(1).reduce((sum, volume, at) => sum + volume * (candles.close[at + 1] ?? 0), 0),
    closes: [...candles.close, lastPrice],
  };
}

/** Most traded first, once all are known: rows must not move while the user reads them. */
function byVolume<Row extends { day: DayFigures | null }>(rows: readonly Row[]): readonly Row[] {
  if (rows.some(({ day }) => day === null)) return rows;
  return [...rows].sort((a, b) => (b.day?.volumeUsdt ?? 0) - (a.day?.volumeUsdt ?? 0));
}

const CANDLE_POLL_MS = 60_000;
/** Each row fetches candles; a long list shows the rest on request. */
const SHOWN_MAX = 40;

export interface WatchRow {
  symbol: string;
  decimals: number | undefined;
  last: number | null;
  day: DayFigures | null;
}

const firstError = (requested: readonly { error: Error | null }[]): Error | null =>
  requested.find(({ error }) => error !== null)?.error ?? null;

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
  const exchange = useServedExchange();
  const days = useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles(exchange, symbol, DAY_INTERVAL, DAY_CANDLE_COUNT),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchCandles({ exchange, symbol, interval: DAY_INTERVAL, limit: DAY_CANDLE_COUNT, signal }),
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
    isWaitingForDays: days.some(({ isPending }) => isPending),
    exchange: prices.data?.exchange ?? null,
    confirmedAtMs: prices.data?.confirmedAtMs ?? null,
    retry: () => {
      void own.refetch();
      void universe.refetch();
      void prices.refetch();
    },
  };
}
