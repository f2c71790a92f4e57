import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { EventData } from './eventConnection.ts';
import { queryKeys } from './queryKeys.ts';
import type { RunBacktestBody, SearchHead, ServerSearch } from './types.ts';

/** Poll interval while a search runs, for when the event stream is silent. */
const POLL_MS = 2000;

export const isOpenSearch = ({ status }: Pick<SearchHead, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Long searches on the server, newest first; running ones are polled. */
export function useSearches() {
  return useQuery({
    queryKey: queryKeys.backtest.searches,
    queryFn: ({ signal }) => dataOf(api.GET('/api/backtest/searches', { signal })),
    select: (response) => response.searches,
    refetchInterval: ({ state }) => (state.data?.searches.some(isOpenSearch) === true ? POLL_MS : false),
  });
}

/** Shows progress as it arrives; a start or an end refetches the list. */
export function takeSearchEvent(client: QueryClient, data: EventData): void {
  const { search_id: id, status, done, elapsed_ms: elapsedMs, stage, minute_candles: minuteCandles } = data;
  const known = client.getQueryData<{ searches: SearchHead[] }>(queryKeys.backtest.searches);
  // An event of another stage counts other samples.
  const isFollowed =
    known?.searches.some(
      (each) => each.search_id === id && each.stage === stage && each.minute_candles === minuteCandles,
    ) === true;
  if (status !== 'running' || typeof done !== 'number' || typeof elapsedMs !== 'number' || !isFollowed) {
    void client.invalidateQueries({ queryKey: queryKeys.backtest.searches });
    return;
  }
  const searches = known.searches.map((each) =>
    // A response fetched meanwhile may be newer than the event.
    each.search_id === id && each.done <= done
      ? { ...each, status: 'running' as const, done, elapsed_ms: elapsedMs }
      : each,
  );
  client.setQueryData(queryKeys.backtest.searches, { searches });
}

/** @returns the id of the search that the server has taken on */
export async function orderSearch(body: RunBacktestBody): Promise<string> {
  const response = await dataOf(api.POST('/api/backtest', { body }));
  const { search } = response as { search?: ServerSearch };
  if (search === undefined) throw new Error('the server answered without a search');
  return search.search_id;
}

export function useOrderSearch(order: () => Promise<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: order,
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.backtest.searches }),
  });
}

export function useCancelSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => dataOf(api.POST('/api/backtest/searches/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.backtest.searches }),
  });
}

export async function fetchSearch(id: string): Promise<ServerSearch> {
  return (await dataOf(api.GET('/api/backtest/searches/{id}', { params: { path: { id } } }))).search;
}

/** Figures of every set of a finished search, parsed by workers/src/protocol/wire/trialColumns.ts. */
export async function fetchTrials(id: string): Promise<Uint8Array> {
  const path = '/api/backtest/searches/{id}/trials';
  return new Uint8Array(await dataOf(api.GET(path, { params: { path: { id } }, parseAs: 'arrayBuffer' })));
}
