import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../api/failure.ts';
import { api, dataOf } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { Webhook, WebhookChange, WebhookTest } from '../api/types.ts';
import { toast, toastFailure } from '../state/toasts.ts';

/** A page with deliveries polls as well, in case the event stream is silent. */
const POLL_MS = 15_000;
const testKey = ['webhookTest'];

export function useWebhooks() {
  return useQuery({
    queryKey: queryKeys.webhooks.list,
    queryFn: ({ signal }) => dataOf(api.GET('/api/webhooks', { signal })),
    refetchInterval: POLL_MS,
  });
}

export function useWebhookDeliveries(id: string) {
  return useQuery({
    queryKey: queryKeys.webhooks.deliveries(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/webhooks/{id}/deliveries', { params: { path: { id } }, signal })),
    select: (response) => response.deliveries,
    refetchInterval: POLL_MS,
  });
}

function useChange<Input, ResponseBody>(mutationFn: (input: Input) => Promise<ResponseBody>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.all }),
  });
}

export const useCreateWebhook = () =>
  useChange((body: { url: string; events: Webhook['events'] }) => dataOf(api.POST('/api/webhooks', { body })));

export const useChangeWebhook = () =>
  useChange(({ id, change }: { id: string; change: WebhookChange }) =>
    dataOf(api.PATCH('/api/webhooks/{id}', { params: { path: { id } }, body: change })),
  );

export const useRotateWebhook = () =>
  useChange((id: string) => dataOf(api.POST('/api/webhooks/{id}/secret', { params: { path: { id } } })));

export const useDeleteWebhook = () =>
  useChange((id: string) => dataOf(api.DELETE('/api/webhooks/{id}', { params: { path: { id } } })));

export const useRedeliver = (id: string) =>
  useChange((delivery: string) =>
    dataOf(api.POST('/api/webhooks/{id}/deliveries/{delivery}/redeliver', { params: { path: { id, delivery } } })),
  );

/** `Failed to create webhook: The URL must start with https://.` */
export const createFailureText = (failure: unknown): string =>
  `Failed to create webhook: ${messageOf(failure, 'Unknown error')}`;

function showResult({ success, error, message }: WebhookTest): void {
  if (success) toast('Webhook test delivered', 'success');
  else toast(`${error ?? 'Webhook test failed'}: ${message}`, 'error');
}

/** Sends a test message and shows its outcome. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: testKey,
    mutationFn: (body: { webhook_id?: string; event?: Webhook['events'][number] }) =>
      dataOf(api.POST('/api/webhook/test', { body })),
    onSuccess: showResult,
    onError: (failure) => toastFailure('Webhook test failed', failure),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.all }),
  });
}

/** State of the newest test over all webhooks: the same on every page. */
export function useWebhookState(): {
  state: 'inactive' | 'testing' | 'active';
  testedAt: string | null;
  count: number;
} {
  const isTesting = useIsMutating({ mutationKey: testKey }) > 0;
  const { data } = useWebhooks();
  const all = data?.webhooks ?? [];
  const tested = all.filter(({ last_test_at: at }) => at !== null);
  const newest = tested.toSorted((a, b) => ((a.last_test_at ?? '') < (b.last_test_at ?? '') ? 1 : -1))[0];
  const isActive = newest?.last_test_succeeded === true && newest.active;
  return {
    state: isTesting ? 'testing' : isActive ? 'active' : 'inactive',
    testedAt: newest?.last_test_at ?? null,
    count: all.length,
  };
}
