import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { Exchange } from './market.ts';

/** The exchanges count open contracts about once a minute. */
const POLL_MS = 60_000;
/** Most symbols of a request. */
const SYMBOLS_MAX = 40;

/** Open interest, long/short ratio and next funding of symbols. @param isWanted false: nothing is requested */
export function usePositioning(exchange: Exchange, symbols: readonly string[], isWanted: boolean) {
  const list = symbols.slice(0, SYMBOLS_MAX).toSorted().join(',');
  return useQuery({
    queryKey: queryKeys.market.positioning(exchange, list),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/market/positioning', { params: { query: { symbols: list, exchange } }, signal })),
    enabled: isWanted && list !== '',
    refetchInterval: POLL_MS,
    // A list that gains a symbol shows its previous figures until the new response arrives.
    placeholderData: keepPreviousData,
  });
}

type SeriesInterval = '1m' | '5m' | '15m' | '1h' | '4h' | '1d';

/** Open interest and long/short ratio of a symbol over time. @param market null: nothing is requested */
export function usePositioningSeries(market: { exchange: Exchange; symbol: string; interval: SeriesInterval } | null) {
  const { exchange = 'binance', symbol = '', interval = '1h' } = market ?? {};
  return useQuery({
    queryKey: queryKeys.market.positioningSeries(exchange, symbol, interval),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/market/positioning/{symbol}', {
          params: { path: { symbol }, query: { exchange, interval } },
          signal,
        }),
      ),
    enabled: market !== null,
    refetchInterval: POLL_MS,
  });
}
