import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { EventData } from './eventConnection.ts';
import { queryKeys } from './queryKeys.ts';

/** Poll interval while an analysis runs, for when the event stream is silent. */
const RUNNING_POLL_MS = 2000;

interface VisionProgress {
  step: string;
  /** 0 to 100, of the whole analysis. */
  pct: number;
}

/** Shows progress as it arrives; the end refetches the analysis and the credits. */
export function takeVisionEvent(client: QueryClient, data: EventData): void {
  const { status, step, pct } = data;
  if (status === 'running' && typeof step === 'string' && typeof pct === 'number') {
    client.setQueryData<VisionProgress>(queryKeys.vision.progress, { step, pct });
    return;
  }
  void refetchAnalysis(client);
}

export const refetchAnalysis = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.vision.all }),
    client.invalidateQueries({ queryKey: queryKeys.credits }),
  ]);

/** The newest analysis, whether one is running, and the state of opening and detection. */
export function useLastVision() {
  return useQuery({
    queryKey: queryKeys.vision.last,
    queryFn: ({ signal }) => dataOf(api.GET('/api/vision/last', { signal })),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.is_running === true ? RUNNING_POLL_MS : false),
  });
}

export const useVisionStatistics = () =>
  useQuery({
    queryKey: queryKeys.vision.statistics,
    queryFn: ({ signal }) => dataOf(api.GET('/api/vision/statistics', { signal })),
  });

interface PatternRecordOptions {
  interval: '15m' | '1h' | '4h';
  /** Empty: all symbols. */
  symbol: string;
  isOpen: boolean;
}

/** What followed each pattern on the stored candles. */
export function usePatternRecord({ interval, symbol, isOpen }: PatternRecordOptions) {
  const query = symbol === '' ? { interval } : { interval, symbol };
  return useQuery({
    queryKey: queryKeys.vision.patterns(query),
    queryFn: ({ signal }) => dataOf(api.GET('/api/vision/patterns', { params: { query }, signal })),
    enabled: isOpen,
    // A table that gave way to a placeholder would shrink the dialog for a moment.
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Progress of the running analysis from the event stream; null before the first event. */
export function useVisionProgress(): VisionProgress | null {
  const { data } = useQuery<VisionProgress | null>({
    queryKey: queryKeys.vision.progress,
    queryFn: () => null,
    enabled: false,
  });
  return data ?? null;
}

/** @param key idempotency key, one per picture: repeating a request whose response was lost costs no second credit */
export function postChart(file: Blob, key: string, signal: AbortSignal) {
  const form = new FormData();
  form.append('image', file, 'chart');
  return dataOf(
    api.POST('/api/vision/analyze', {
      // The browser sets the content type with the form's boundary.
      body: '',
      bodySerializer: () => form,
      params: { header: { 'idempotency-key': key } },
      signal,
    }),
  );
}

export const pictureUrl = (id: string): string => `/api/vision/pictures/${id}`;
