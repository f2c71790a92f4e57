import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { AlertBody, AlertChange, PushSubscriptionBody } from './types.ts';

export function useAlerts() {
  return useQuery({
    queryKey: queryKeys.alerts.list,
    queryFn: ({ signal }) => dataOf(api.GET('/api/alerts', { signal })),
    // First steps, charts and the page of alerts show them; events fetch them again.
    staleTime: 60_000,
  });
}

export function useReceipts(id: string | null) {
  return useQuery({
    queryKey: queryKeys.alerts.receipts(id ?? ''),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/alerts/{id}/receipts', { params: { path: { id: id ?? '' } }, signal })),
    enabled: id !== null,
    select: (response) => response.receipts,
  });
}

/** Changes refetch the list: the server also reports them to other pages. */
function useAlertMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.alerts.all }),
  });
}

export const useCreateAlert = () => useAlertMutation((body: AlertBody) => dataOf(api.POST('/api/alerts', { body })));

export const useChangeAlert = () =>
  useAlertMutation(({ id, body }: { id: string; body: AlertChange }) =>
    dataOf(api.PATCH('/api/alerts/{id}', { params: { path: { id } }, body })),
  );

export const useDeleteAlert = () =>
  useAlertMutation((id: string) => dataOf(api.DELETE('/api/alerts/{id}', { params: { path: { id } } })));

/** Stores that this page showed a firing, and reads its receipt. */
export const showReceipt = (id: string, receipt: string) =>
  dataOf(api.POST('/api/alerts/{id}/receipts/{receipt}/shown', { params: { path: { id, receipt } } }));

export function useBrowsers() {
  return useQuery({
    queryKey: queryKeys.alerts.browsers,
    queryFn: ({ signal }) => dataOf(api.GET('/api/push/subscriptions', { signal })),
  });
}

export const readPushKey = async (): Promise<string> => (await dataOf(api.GET('/api/push/subscriptions'))).public_key;
export const addBrowser = (body: PushSubscriptionBody) => dataOf(api.POST('/api/push/subscriptions', { body }));
export const removeBrowser = (endpoint: string) =>
  dataOf(api.DELETE('/api/push/subscriptions', { body: { endpoint } }));
