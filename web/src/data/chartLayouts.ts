import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { ChartLayouts } from '../api/types.ts';
import { toastRejection } from '../state/toasts.ts';
import { storeResponse } from '../api/storeResponse.ts';

type Layout = ChartLayouts['layouts'][number];

/** The chart layouts of the account, by name. */
export const useChartLayouts = () =>
  useQuery({
    queryKey: queryKeys.chartLayouts,
    queryFn: ({ signal }) => dataOf(api.GET('/api/charts/layouts', { signal })),
    staleTime: Infinity,
  });

/** Changes the layouts; each change returns the whole list. */
export function useLayoutChange<T>(change: (options: T) => Promise<ChartLayouts>, failed: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (layouts) => storeResponse<ChartLayouts>(client, queryKeys.chartLayouts, layouts),
    onError: (failure) => toastRejection(messageOf(failure, failed), failure),
  });
}

export const saveLayout = (body: Pick<Layout, 'name' | 'value'>): Promise<ChartLayouts> =>
  dataOf(api.POST('/api/charts/layouts', { body }));

export const changeLayout = ({ id, ...body }: Pick<Layout, 'id'> & Partial<Layout>): Promise<ChartLayouts> =>
  dataOf(api.PATCH('/api/charts/layouts/{id}', { params: { path: { id } }, body }));

export const deleteLayout = (id: string): Promise<ChartLayouts> =>
  dataOf(api.DELETE('/api/charts/layouts/{id}', { params: { path: { id } } }));
