import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, dataOf, readOrEmpty } from './client.ts';
import type { EventData } from './eventConnection.ts';
import { queryKeys } from './queryKeys.ts';
import type { ScanBody } from './types.ts';

/** Poll interval while a scan runs, for when the event stream is silent. Without results the response is small. */
const SCAN_POLL_MS = 1500;

interface ScanProgress {
  scanId: string;
  done: number;
  total: number;
}

/** Shows progress as it arrives; the end of a scan refetches its results and the credits. */
export function takeScanEvent(client: QueryClient, data: EventData): void {
  const { scan_id: scanId, status, done, total } = data;
  if (status === 'running' && typeof scanId === 'string' && typeof done === 'number' && typeof total === 'number') {
    client.setQueryData<ScanProgress>(queryKeys.scan.progress, { scanId, done, total });
    return;
  }
  void refetch(client);
}

const refetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.scan.last }),
    client.invalidateQueries({ queryKey: queryKeys.scan.away }),
    client.invalidateQueries({ queryKey: ['scan', 'one'] }),
    client.invalidateQueries({ queryKey: queryKeys.credits }),
  ]);

/** Neither of both without a session. */
export const fetchLastScan = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/scan/last', { signal: signal ?? null }), { scan: null, active: null });

/** The newest finished scan with its results, and a running one. */
export function useLastScan() {
  return useQuery({
    queryKey: queryKeys.scan.last,
    queryFn: ({ signal }) => fetchLastScan(signal),
    staleTime: 60_000,
  });
}

/** Scans the server runs while the user is away, and why they stopped. */
export function useAwayScans(isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.scan.away,
    queryFn: ({ signal }) => dataOf(api.GET('/api/scan/away', { signal })),
    enabled: isWanted,
  });
}

/** One scan, polled until it has ended. */
export function useScan(id: string | null) {
  const client = useQueryClient();
  const scan = useQuery({
    queryKey: queryKeys.scan.one(id ?? ''),
    queryFn: ({ signal }) => dataOf(api.GET('/api/scan/{id}', { params: { path: { id: id ?? '' } }, signal })),
    select: (response) => response.scan,
    enabled: id !== null,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.scan.status) ? SCAN_POLL_MS : false),
  });
  const status = scan.data?.status;
  const hasEnded = status !== undefined && !isUnderWay(status);
  useEffect(() => {
    if (!hasEnded) return;
    void client.invalidateQueries({ queryKey: queryKeys.scan.last });
    void client.invalidateQueries({ queryKey: queryKeys.credits });
  }, [client, hasEnded, id]);
  return scan;
}

export const isUnderWay = (status: string | undefined): boolean =>
  status === undefined || status === 'queued' || status === 'running';

/** Progress from the event stream; null before the first event. */
export function useScanProgress(id: string | null): ScanProgress | null {
  const { data } = useQuery<ScanProgress | null>({
    queryKey: queryKeys.scan.progress,
    queryFn: () => null,
    enabled: false,
  });
  return data != null && data.scanId === id ? data : null;
}

export function useStartScan() {
  const client = useQueryClient();
  return useMutation({
    // One key per run: repeating a request whose response was lost costs no second credit.
    mutationFn: ({ body, key }: { body: ScanBody; key: string }) =>
      dataOf(api.POST('/api/scan', { body, params: { header: { 'idempotency-key': key } } })),
    onSettled: () => refetch(client),
  });
}

export function useCancelScan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => dataOf(api.POST('/api/scan/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => refetch(client),
  });
}

/** The outcome of every candidate a scan checked. */
export function useCandidates(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.scan.candidates(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/scan/{id}/candidates', { params: { path: { id } }, signal })),
    select: (response) => response.candidates,
    enabled: isWanted,
    staleTime: Infinity,
  });
}
