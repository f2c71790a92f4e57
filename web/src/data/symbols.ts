import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { tickDecimals } from '../format/number.ts';
import { api, dataOf } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { Position } from '../api/types.ts';

type Exchange = Position['exchange'];

/** Every perpetual that the exchange lists; the traded ones are `tradedSymbols`. */
export function useSymbols(exchange: Exchange = 'binance') {
  return useQuery({
    queryKey: queryKeys.market.symbols(exchange),
    queryFn: ({ signal }) => dataOf(api.GET('/api/futures-symbols', { params: { query: { exchange } }, signal })),
    // The server follows changed contract rules within two minutes.
    staleTime: 60_000,
    refetchInterval: 120_000,
  });
}

/** Traded symbols by the turnover of 24 hours, largest first. @param isWanted false: nothing is fetched */
export function useRankedSymbols(isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.market.ranked,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/futures-symbols', { params: { query: { sort: 'turnover' } }, signal })),
    select: tradedSymbols,
    enabled: isWanted,
    staleTime: 600_000,
  });
}

/** The exchange whose market is shown: Binance, or another one where it does not serve the region of the server. */
export const useServedExchange = (): Exchange => useSymbols().data?.exchange ?? 'binance';

/** Without listed symbols that are halted. */
export const tradedSymbols = (list: NonNullable<ReturnType<typeof useSymbols>['data']>): string[] =>
  list.symbols.filter(({ status }) => status === 'trading').map(({ symbol }) => symbol);

/** Price decimals of each symbol, from its tick size; undefined while unknown. */
export function useTickDecimals(exchange: Exchange = 'binance'): (symbol: string) => number | undefined {
  const { data } = useSymbols(exchange);
  const ticks = useMemo(
    () => new Map(data?.symbols.map(({ symbol, tick_size }) => [symbol, tickDecimals(tick_size)])),
    [data],
  );
  return useCallback((symbol) => ticks.get(symbol), [ticks]);
}
