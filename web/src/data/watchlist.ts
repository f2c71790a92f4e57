import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, readOrEmpty } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { storeResponse } from '../api/storeResponse.ts';
import { toastRejection } from '../state/toasts.ts';

/** Empty without a session. */
export const fetchWatchlist = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/watchlist', { signal: signal ?? null }), { entries: [] });

/** The symbols the user watches; another tab's change arrives as an event. */
export function useWatchlist() {
  return useQuery({
    queryKey: queryKeys.watchlist,
    queryFn: ({ signal }) => fetchWatchlist(signal),
    select: ({ entries }) => entries.map(({ symbol }) => symbol),
    staleTime: 60_000,
  });
}

/** Adds a symbol or removes it. */
export function useChangeWatchlist() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ symbol, isWatched }: { symbol: string; isWatched: boolean }) =>
      dataOf(
        isWatched
          ? api.POST('/api/watchlist', { body: { symbol } })
          : api.DELETE('/api/watchlist/{symbol}', { params: { path: { symbol } } }),
      ),
    onSuccess: (list) => storeResponse(client, queryKeys.watchlist, list),
    onError: (failure) => toastRejection(messageOf(failure, 'The watch list was not changed'), failure),
  });
}
