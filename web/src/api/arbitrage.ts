import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, readOrEmpty } from './client.ts';
import type { EventData } from './eventConnection.ts';
import { queryKeys } from './queryKeys.ts';
import type { ArbitrageScanBody, PairBooks, SpreadWatches, WatchBody } from './types.ts';
import { storeResponse } from './storeResponse.ts';

/** Poll interval while another page's scan runs, for when the event stream is silent. */
const SCAN_POLL_MS = 1500;
/** Both order books of an open pair: one request per exchange each time. */
export const BOOKS_POLL_MS = 10_000;
/** The service stores spreads five minutes at a time. */
const HISTORY_POLL_MS = 60_000;
const MEASURED_POLL_MS = 60_000;

export interface ArbitrageProgress {
  scanId: string;
  /** Steps of work: quotes of each exchange, then pairs of order books. */
  done: number;
  total: number;
}

/** A coin with the exchanges to buy and to sell on. */
export interface SpreadPair {
  symbol: string;
  buy: VenueId;
  sell: VenueId;
}

/** Shows progress as it arrives; the end of a scan refetches its results and the credits. */
export function takeArbitrageEvent(client: QueryClient, data: EventData): void {
  const { scan_id: scanId, status, done, total } = data;
  if (status === 'running' && typeof scanId === 'string' && typeof done === 'number' && typeof total === 'number') {
    client.setQueryData<ArbitrageProgress>(queryKeys.arbitrage.progress, { scanId, done, total });
    return;
  }
  void refetchScan(client);
}

export const refetchScan = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.arbitrage.last }),
    client.invalidateQueries({ queryKey: queryKeys.credits }),
  ]);

const noScan = { scanId: null, items: [], scan: null, emptyAt: null, active: null };

/** Nothing without a session. */
export const fetchLastArbitrage = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/arbitrage/last', { signal: signal ?? null }), noScan);

/** The newest scan with items, and a running one. */
export function useLastArbitrage() {
  return useQuery({
    queryKey: queryKeys.arbitrage.last,
    queryFn: ({ signal }) => fetchLastArbitrage(signal),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.active != null ? SCAN_POLL_MS : false),
  });
}

/** Progress of the newest scan from the event stream; null before the first event. */
export function useArbitrageProgress(): ArbitrageProgress | null {
  const { data } = useQuery<ArbitrageProgress | null>({
    queryKey: queryKeys.arbitrage.progress,
    queryFn: () => null,
    enabled: false,
  });
  return data ?? null;
}

/** @param key idempotency key, one per run: repeating a request whose response was lost costs no second credit */
export const postArbitrageScan = (body: ArbitrageScanBody, key: string, signal: AbortSignal) =>
  dataOf(api.POST('/api/arbitrage-scan', { body, params: { header: { 'idempotency-key': key } }, signal }));

/** Both order books of a pair, refetched while they are on screen. */
export function usePairBooks(pair: SpreadPair) {
  return useQuery({
    queryKey: queryKeys.arbitrage.books(pair),
    // The generated client types the pairs of price and size as lists.
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/arbitrage/books', { params: { query: pair }, signal }))) as PairBooks,
    refetchInterval: BOOKS_POLL_MS,
    retry: false,
  });
}

/** Mean gross spread of each minute. */
export function useSpreadHistory(pair: SpreadPair, hours: number) {
  return useQuery({
    queryKey: queryKeys.arbitrage.history(pair, hours),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/arbitrage/history', {
          params: { query: { symbol: pair.symbol, buy: pair.buy, sell: pair.sell, hours } },
          signal,
        }),
      ),
    refetchInterval: HISTORY_POLL_MS,
  });
}

/** Outcomes of spreads above costs: of all pairs, or of one. */
export function usePersistence(pair: SpreadPair | null) {
  return useQuery({
    queryKey: queryKeys.arbitrage.persistence(pair),
    queryFn: ({ signal }) => dataOf(api.GET('/api/arbitrage/persistence', { params: { query: pair ?? {} }, signal })),
    refetchInterval: MEASURED_POLL_MS,
  });
}

/** Differences of funding rates between exchanges. */
export function useFundingDifferences() {
  return useQuery({
    queryKey: queryKeys.arbitrage.funding,
    queryFn: ({ signal }) => dataOf(api.GET('/api/arbitrage/funding', { signal })),
    refetchInterval: MEASURED_POLL_MS,
  });
}

export function useSpreadWatches() {
  return useQuery({
    queryKey: queryKeys.arbitrage.watches,
    queryFn: ({ signal }) => dataOf(api.GET('/api/arbitrage/watches', { signal })),
    refetchInterval: MEASURED_POLL_MS,
  });
}

/** Adds and removes watched pairs. */
export function useWatchActions() {
  const client = useQueryClient();
  return {
    add: useMutation({
      mutationFn: (body: WatchBody) => dataOf(api.POST('/api/arbitrage/watches', { body })),
      onSettled: () => client.invalidateQueries({ queryKey: queryKeys.arbitrage.watches }),
    }),
    remove: useMutation({
      mutationFn: (id: string) => dataOf(api.DELETE('/api/arbitrage/watches/{id}', { params: { path: { id } } })),
      onSuccess: (left) => storeResponse<SpreadWatches>(client, queryKeys.arbitrage.watches, left),
      onError: () => client.invalidateQueries({ queryKey: queryKeys.arbitrage.watches }),
    }),
  };
}
