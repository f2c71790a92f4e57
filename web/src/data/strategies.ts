import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { SavedRules, Strategies } from '../api/types.ts';
import { toastRejection } from '../state/toasts.ts';
import { storeResponse } from '../api/storeResponse.ts';

/** The strategies of the account, and the one used by scans and automatic opening. */
export function useStrategies() {
  return useQuery({
    queryKey: queryKeys.strategies,
    queryFn: ({ signal }) => dataOf(api.GET('/api/strategies', { signal })),
    staleTime: 30_000,
  });
}

/** Changes the strategies; each change returns the whole list. @param failed text of the toast, before the reason */
export function useStrategyChange<T, A extends Strategies = Strategies>(
  change: (options: T) => Promise<A>,
  failed: string,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: ({ strategies, used }) => storeResponse<Strategies>(client, queryKeys.strategies, { strategies, used }),
    onError: (failure) => {
      void client.invalidateQueries({ queryKey: queryKeys.strategies });
      toastRejection(messageOf(failure, failed), failure);
    },
  });
}

export const saveStrategy = (body: {
  name: string;
  value: Strategies['strategies'][number]['value'];
}): Promise<SavedRules> => dataOf(api.POST('/api/strategies', { body }));

export const renameStrategy = ({ id, name }: { id: string; name: string }) =>
  dataOf(api.PUT('/api/strategies/{id}', { params: { path: { id } }, body: { name } }));

export const replaceStrategy = ({ id, value }: { id: string; value: Strategies['strategies'][number]['value'] }) =>
  dataOf(api.PUT('/api/strategies/{id}', { params: { path: { id } }, body: { value } }));

export const deleteStrategy = (id: string) => dataOf(api.DELETE('/api/strategies/{id}', { params: { path: { id } } }));

/** @param id null: the built-in Live rules */
export const applyStrategy = ({ id, version }: { id: string | null; version?: string }) =>
  dataOf(api.PUT('/api/strategies/used', { body: version === undefined ? { id } : { id, version } }));
