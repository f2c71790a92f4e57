import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { EventData } from './eventConnection.ts';
import { queryKeys } from './queryKeys.ts';

/** Asked while an analysis is under way, for when the event stream is silent. */
const RUNNING_POLL_MS = 2000;

interface VisionProgress {
  step: string;
  /** Of the whole, 0 to 100. */
  pct: number;
}

/** Progress is shown as it comes; the end makes the analysis and the credits be asked for again. */
export function takeVisionEvent(client: QueryClient, data: EventData): void {
  const { status, step, pct } = data;
  if (status === 'running' && typeof step === 'string' && typeof pct === 'number') {
    client.setQueryData<VisionProgress>(queryKeys.vision.progress, { step, pct });
    return;
  }
  void askForAnalysisAgain(client);
}

export const askForAnalysisAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.vision.all }),
    client.invalidateQueries({ queryKey: queryKeys.credits }),
  ]);

/** The newest analysis, whether one is under way, and the state of opening and detection. */
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

/** Of the analysis under way as the event stream tells it; null before the first event. */
export function useVisionProgress(): VisionProgress | null {
  const { data } = useQuery<VisionProgress | null>({
    queryKey: queryKeys.vision.progress,
    queryFn: () => null,
    enabled: false,
  });
  return data ?? null;
}

/** @param key one for each picture: an answer that was lost on its way does not cost a second credit when it is sent again */
export function postChart(file: Blob, key: string, signal: AbortSignal) {
  const form = new FormData();
  form.append('image', file, 'chart');
  return dataOf(
    api.POST('/api/vision/analyze', {
      // The browser writes the type of the form with its boundary.
      body: '',
      bodySerializer: () => form,
      params: { header: { 'idempotency-key': key } },
      signal,
    }),
  );
}

export const pictureUrl = (id: string): string => `/api/vision/pictures/${id}`;
