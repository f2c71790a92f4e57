import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, dataOf } from '../api/client.ts';
import { usePolledPrices } from './market.ts';
import { useOwnPrices } from './ownPrices.ts';
import { type PositionView, viewOf } from '../api/positionView.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { AutoRun, ChangePositionBody, CloseAllBody, ClosePositionBody, OpenPositionBody } from '../api/types.ts';
import { newRequestKey } from '../api/requestKey.ts';
import { storeResponse } from '../api/storeResponse.ts';

/** Poll interval of prices and rows when the event stream is silent. */
export const pollMsOf = (symbolCount: number): number => (symbolCount > 40 ? 30_000 : 15_000);

/** Window event, dispatched when a position was opened here or by the server. */
const POSITIONS_CHANGED = 'positions-changed';
export const notifyPositionsChanged = (): boolean => window.dispatchEvent(new CustomEvent(POSITIONS_CHANGED));

/** Refetches everything about positions when they have changed. Use once, in the signed-in shell. */
export function usePositionsChanged(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: queryKeys.positions.all });
    window.addEventListener(POSITIONS_CHANGED, refetch);
    return () => window.removeEventListener(POSITIONS_CHANGED, refetch);
  }, [client]);
}

const symbolsIn = (positions: readonly PositionView[]): string[] => [...new Set(positions.map(({ symbol }) => symbol))];

/** Open positions, newest first. */
export function useOpenPositions() {
  return useQuery({
    queryKey: queryKeys.positions.open,
    queryFn: async ({ signal }) => {
      const { positions } = await dataOf(api.GET('/api/positions', { params: { query: { state: 'open' } }, signal }));
      return positions.map(viewOf);
    },
    refetchInterval: ({ state }) => pollMsOf(symbolsIn(state.data ?? []).length),
  });
}

/** Closed positions since a time, newest close first. @param hours back from the moment of the request */
export function useClosedPositions(hours: number) {
  return useQuery({
    queryKey: queryKeys.positions.closed(hours),
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - hours * 3_600_000).toISOString();
      const { positions } = await dataOf(
        api.GET('/api/positions', { params: { query: { state: 'closed', since } }, signal }),
      );
      return positions.map(viewOf);
    },
    refetchInterval: 60_000,
  });
}

/** The last closed positions of any age, newest close first. */
export function useRecentTrades(limit: number) {
  return useQuery({
    queryKey: queryKeys.positions.recent(limit),
    queryFn: async ({ signal }) => {
      const query = { state: 'closed' as const, since: new Date(0).toISOString(), limit };
      const { positions } = await dataOf(api.GET('/api/positions', { params: { query }, signal }));
      return positions.map(viewOf);
    },
    refetchInterval: 60_000,
  });
}

/** One position with its history. */
export function usePosition(id: string | null) {
  return useQuery({
    queryKey: queryKeys.positions.one(id ?? ''),
    queryFn: async ({ signal }) => {
      const { position, events, fills } = await dataOf(
        api.GET('/api/positions/{id}', { params: { path: { id: id ?? '' } }, signal }),
      );
      return { position: viewOf(position), events, fills };
    },
    enabled: id !== null,
  });
}

/** Last prices of the open positions' symbols, on the exchange of each position. */
export function useOpenPrices(positions: readonly PositionView[]) {
  const symbolsOn = (exchange: PositionView['exchange']): string[] =>
    symbolsIn(positions.filter((position) => position.exchange === exchange)).sort();
  const symbols = symbolsOn('binance');
  const binance = useOwnPrices(symbols, pollMsOf(symbols.length));
  const bybit = usePolledPrices('bybit', symbolsOn('bybit')).data;
  const okx = usePolledPrices('okx', symbolsOn('okx')).data;
  const own = <T extends { exchange: string }>(prices: T | undefined, exchange: string) =>
    prices?.exchange === exchange ? prices : undefined;
  return { binance, bybit: own(bybit, 'bybit'), okx: own(okx, 'okx') };
}

export function useAnalytics() {
  return useQuery({
    queryKey: queryKeys.positions.analytics,
    queryFn: ({ signal }) => dataOf(api.GET('/api/positions/analytics', { signal })),
    refetchInterval: 60_000,
  });
}

/** Why the result of a closed position differs from its test. It is compared some minutes after the close. */
export function useReconciliation(id: string) {
  return useQuery({
    queryKey: queryKeys.positions.reconciliation(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/positions/{id}/reconciliation', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 30_000 : false),
  });
}

/** The same of all closed positions, summed by cause. */
export function useReconciliations() {
  return useQuery({
    queryKey: queryKeys.positions.reconciliations,
    queryFn: ({ signal }) => dataOf(api.GET('/api/reconciliation', { signal })),
    refetchInterval: 60_000,
  });
}

export function useGuards() {
  return useQuery({
    queryKey: queryKeys.positions.guards,
    queryFn: ({ signal }) => dataOf(api.GET('/api/positions/guards', { signal })),
    refetchInterval: 60_000,
  });
}

/** Resumes opening after the drawdown guard stopped it. */
export function useRearm() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(api.POST('/api/positions/guards/rearm')),
    onSuccess: (response) => storeResponse(client, queryKeys.positions.guards, response),
  });
}

export function useLastRun() {
  return useQuery({
    queryKey: queryKeys.positions.lastRun,
    queryFn: ({ signal }) => dataOf(api.GET('/api/positions/auto', { signal })),
    select: ({ run }) => run,
  });
}

export function useSkips() {
  return useQuery({
    queryKey: queryKeys.positions.skips,
    queryFn: ({ signal }) => dataOf(api.GET('/api/positions/skips', { signal })),
    select: ({ skips }) => skips,
  });
}

interface ClosePart {
  id: string;
  /** Absent: all of it. */
  part?: ClosePositionBody;
  /** A repetition with the key is the same close. */
  key?: string;
}

/** Closes by hand, all or a part; price and result are the server's. */
export function useClosePosition() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, part = {}, key = newRequestKey() }: ClosePart) => {
      const { position, fill, notes } = await dataOf(
        api.POST('/api/positions/{id}/close', {
          params: { path: { id }, header: { 'idempotency-key': key } },
          body: part,
        }),
      );
      return { position: viewOf(position), fill, notes };
    },
    // Not awaited: the refetch removes the row, and the callbacks of its mutation would not run.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.positions.all }),
  });
}

/** Closes a position and opens the opposite one of the same size, at once. */
export function useReversePosition() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, key }: { id: string; key: string }) => {
      const { closed, opened } = await dataOf(
        api.POST('/api/positions/{id}/reverse', {
          params: { path: { id }, header: { 'idempotency-key': key } },
          body: {},
        }),
      );
      return { closed: viewOf(closed), opened: viewOf(opened) };
    },
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.positions.all }),
  });
}

/** Changes stop, target or trailing of an open position. */
export function useChangePosition() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, body }: { id: string; body: ChangePositionBody }) => {
      const { position } = await dataOf(api.PATCH('/api/positions/{id}', { params: { path: { id } }, body }));
      return viewOf(position);
    },
    // The fields show the saved levels at once; the refetch confirms them.
    onSuccess: (changed) =>
      storeResponse<PositionView[]>(client, queryKeys.positions.open, (before) =>
        before?.map((each) => (each.id === changed.id ? changed : each)),
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.positions.all }),
  });
}

export type CloseAllKind = CloseAllBody['which'];

/** Closes all open positions of a kind; a repetition with the key means the same positions. */
export function useCloseAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ which, key }: { which: CloseAllKind; key: string }) =>
      dataOf(api.POST('/api/positions/close-all', { body: { which }, params: { header: { 'idempotency-key': key } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.positions.all }),
  });
}

/** Preview of an opening. */
export function usePreview(body: OpenPositionBody | null) {
  return useQuery({
    queryKey: queryKeys.positions.preview(body),
    queryFn: ({ signal }) => dataOf(api.POST('/api/positions/preview', { body: body as OpenPositionBody, signal })),
    select: ({ preview }) => preview,
    enabled: body !== null,
    // The price moves on; the figures follow it while they are on screen.
    refetchInterval: 5000,
    retry: false,
  });
}

/** Opens a position; the `positions-changed` event follows. */
export function useOpenPosition() {
  return useMutation({
    mutationFn: ({ body, key }: { body: OpenPositionBody; key: string }) =>
      dataOf(api.POST('/api/positions', { body, params: { header: { 'idempotency-key': key } } })),
    onSuccess: () => notifyPositionsChanged(),
  });
}

/** Opens the signals of a scan by the user's rules. The server does so once per scan: `is_new` is false for a repetition. */
export async function openFromScan(client: QueryClient, scanId: string): Promise<{ run: AutoRun; is_new: boolean }> {
  const response = await dataOf(api.POST('/api/positions/auto', { body: { scan_id: scanId } }));
  if (response.run.opened > 0) notifyPositionsChanged();
  else void client.invalidateQueries({ queryKey: queryKeys.positions.all });
  return response;
}
