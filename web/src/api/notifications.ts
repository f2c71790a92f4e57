import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { Notifications, TargetChange } from './types.ts';
import { storeResponse } from './storeResponse.ts';

export type Channel = 'telegram' | 'webhook';

/** Poll interval while a chat is being linked, for when the event stream is silent. */
const LINK_POLL_MS = 3000;

export function useNotifications(isLinking = false) {
  return useQuery({
    queryKey: queryKeys.notifications.settings,
    queryFn: ({ signal }) => dataOf(api.GET('/api/notifications', { signal })),
    refetchInterval: isLinking ? LINK_POLL_MS : false,
  });
}

export function useDeliveries() {
  return useQuery({
    queryKey: queryKeys.notifications.deliveries,
    queryFn: ({ signal }) => dataOf(api.GET('/api/notifications/deliveries', { signal })),
    select: (response) => response.deliveries,
  });
}

const change = (channel: Channel, body: TargetChange): Promise<Notifications> =>
  dataOf(
    channel === 'telegram'
      ? api.PATCH('/api/notifications/telegram', { body })
      : api.PATCH('/api/notifications/webhook', { body }),
  );
const remove = (channel: Channel): Promise<Notifications> =>
  dataOf(channel === 'telegram' ? api.DELETE('/api/notifications/telegram') : api.DELETE('/api/notifications/webhook'));
const test = (channel: Channel) =>
  dataOf(
    channel === 'telegram' ? api.POST('/api/notifications/telegram/test') : api.POST('/api/notifications/webhook/test'),
  );

/** Actions on an existing target. */
export function useTargetActions(channel: Channel) {
  const client = useQueryClient();
  const keep = (settings: Notifications) => client.setQueryData(queryKeys.notifications.settings, settings);
  const store = (settings: Notifications) => storeResponse(client, queryKeys.notifications.settings, settings);
  const readLog = () => client.invalidateQueries({ queryKey: queryKeys.notifications.deliveries });
  return {
    change: useMutation({
      mutationFn: (body: TargetChange) => change(channel, body),
      // Optimistic update; a failed save restores the server's state.
      onMutate: (body) => {
        const settings = client.getQueryData<Notifications>(queryKeys.notifications.settings);
        const target = settings?.[channel];
        if (settings !== undefined && target != null) keep({ ...settings, [channel]: { ...target, ...body } });
      },
      onSuccess: store,
      onError: () => client.invalidateQueries({ queryKey: queryKeys.notifications.settings }),
    }),
    remove: useMutation({ mutationFn: () => remove(channel), onSuccess: store }),
    test: useMutation({ mutationFn: () => test(channel), onSuccess: readLog }),
  };
}

export const openTelegramLink = () => dataOf(api.POST('/api/notifications/telegram/link'));
export const saveWebhook = (url: string) => dataOf(api.PUT('/api/notifications/webhook', { body: { url } }));
export const renewWebhookSecret = () => dataOf(api.POST('/api/notifications/webhook/secret'));
export const retryDelivery = (id: string) =>
  dataOf(api.POST('/api/notifications/deliveries/{id}/retry', { params: { path: { id } } }));
