import { useQueries } from '@tanstack/react-query';
import { fetchCandles, usePrices, useSymbols, useWatchedSymbols } from '../../api/market.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { tickDecimals } from '../../format/number.ts';
import { DAY_CANDLE_COUNT, DAY_INTERVAL, type DayFigures, dayFigures } from './watchRows.ts';

const CANDLE_POLL_MS = 60_000;

export interface WatchRow {
  symbol: string;
  decimals: number | undefined;
  last: number | null;
  day: DayFigures | null;
}

/** The watched symbols with their last price and the figures of their last 24 hours. */
export function useWatchList() {
  const universe = useSymbols();
  const symbols = useWatchedSymbols();
  const prices = usePrices(symbols);
  const days = useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles(symbol, DAY_INTERVAL, DAY_CANDLE_COUNT),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchCandles({ symbol, interval: DAY_INTERVAL, limit: DAY_CANDLE_COUNT, signal }),
      refetchInterval: CANDLE_POLL_MS,
    })),
  });
  const rows = symbols.map((symbol, at): WatchRow => {
    const last = prices.data?.prices.find((price) => price.symbol === symbol)?.price ?? null;
    const candles = days[at]?.data?.candles;
    const tick = universe.data?.symbols.find((each) => each.symbol === symbol)?.tick_size;
    return {
      symbol,
      decimals: tick === undefined ? undefined : tickDecimals(tick),
      last,
      day: last === null || candles === undefined ? null : dayFigures(candles, last),
    };
  });
  return {
    rows,
    universeCount: universe.data?.symbols.length ?? null,
    failure: universe.error ?? prices.error ?? days.find((day) => day.error !== null)?.error ?? null,
    isWaiting: universe.isPending || (symbols.length > 0 && prices.isPending),
    exchange: prices.data?.exchange ?? null,
    confirmedAtMs: prices.data?.confirmedAtMs ?? null,
    retry: () => {
      void universe.refetch();
      void prices.refetch();
    },
  };
}
