import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, dataOf } from '../api/client.ts';
import { ApiFailure, isUnconfirmed, messageOf } from '../api/failure.ts';
import type { EventData } from '../api/eventConnection.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { ChangeOrderBody, Order, OrderBody } from '../api/types.ts';
import { formatCount, formatMany, formatQuantity, formatQuoted } from '../format/number.ts';
import { toast, toastRejection } from '../state/toasts.ts';
import { notifyPositionsChanged } from './positions.ts';
import { storeResponse } from '../api/storeResponse.ts';

/** Poll interval of the orders when the event stream is silent. */
const POLL_MS = 15_000;
/** The price moves on; the figures of a preview follow it while they are on screen. */
const PREVIEW_POLL_MS = 4000;

const ended = new Set(['filled', 'expired', 'cancelled']);

/** What happened to an order without its owner: null for a market order and for one that its owner cancelled. */
export function orderEndText(order: Order): string | null {
  const { type, side, symbol, status, fill, message, cancel_reason: reason } = order;
  if (type === 'market' || reason === 'owner') return null;
  const name = `${side === 'LONG' ? 'Buy' : 'Sell'} ${type} ${symbol}`;
  if (fill !== null) return `${name} filled: ${formatQuantity(fill.quantity)} at ${formatQuoted(fill.price)}`;
  return [`${name} ${status}`, message ?? ''].filter((part) => part !== '').join('. ');
}

async function reportEnd(id: string, symbol: string): Promise<void> {
  const { orders } = await dataOf(api.GET('/api/orders', { params: { query: { state: 'ended', symbol } } }));
  const order = orders.find((each) => each.id === id);
  const text = order === undefined ? null : orderEndText(order);
  if (text !== null) toast(text, order?.fill === null ? 'info' : 'success', `order ${id} ended`);
}

/** Refetches the orders, and says what happened to one that ended. A failed read is ignored: the table shows that it is gone. */
export function takeOrderEvent(client: QueryClient, data: EventData): void {
  void client.invalidateQueries({ queryKey: queryKeys.orders.all });
  const { change, order_id: id, symbol } = data;
  if (typeof id !== 'string' || typeof symbol !== 'string' || !ended.has(String(change))) return;
  reportEnd(id, symbol).catch(() => undefined);
}

/** Orders that rest, newest first. */
export function useRestingOrders() {
  return useQuery({
    queryKey: queryKeys.orders.resting,
    queryFn: async ({ signal }) => {
      const { orders } = await dataOf(api.GET('/api/orders', { params: { query: { state: 'resting' } }, signal }));
      return orders;
    },
    refetchInterval: POLL_MS,
  });
}

/** What an order would do now. A newer body cancels the request before it; the last figures stay until the next arrive. */
export function useOrderPreview(body: OrderBody | null) {
  return useQuery({
    queryKey: queryKeys.orders.preview(body),
    queryFn: ({ signal }) => dataOf(api.POST('/api/orders/preview', { body: body as OrderBody, signal })),
    select: ({ preview }) => preview,
    enabled: body !== null,
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEW_POLL_MS,
    gcTime: 10_000,
    retry: false,
  });
}

/** Places an order. A repetition with the key is the same order. */
export function usePlaceOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: OrderBody; key: string }) => {
      const { order } = await dataOf(api.POST('/api/orders', { body, params: { header: { 'idempotency-key': key } } }));
      return order;
    },
    onSuccess: (order) => {
      if (order.status === 'filled') notifyPositionsChanged();
      void client.invalidateQueries({ queryKey: queryKeys.orders.all });
    },
  });
}

/** Changes a resting order. */
export function useChangeOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, body }: { id: string; body: ChangeOrderBody }) => {
      const { order } = await dataOf(api.PATCH('/api/orders/{id}', { params: { path: { id } }, body }));
      return order;
    },
    // The table and the chart show the saved order at once; the refetch confirms it.
    onSuccess: (changed) =>
      storeResponse<Order[]>(client, queryKeys.orders.resting, (before) =>
        before?.map((each) => (each.id === changed.id ? changed : each)),
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.orders.all }),
  });
}

/** The message after several orders were cancelled: how many were, and of the others whether they had ended, still rest or are unknown. */
export function cancelledText(count: number, failures: readonly unknown[]): string {
  const isEnded = (thrown: unknown): boolean =>
    thrown instanceof ApiFailure && (thrown.code === 'not_found' || thrown.code === 'conflict');
  const endedCount = failures.filter(isEnded).length;
  const openCount = failures.filter(isUnconfirmed).length;
  const leftCount = failures.length - endedCount - openCount;
  const parts = [
    `${formatMany(count - failures.length, 'order')} cancelled.`,
    ...(endedCount === 0 ? [] : [`${formatCount(endedCount)} ended before.`]),
    ...(leftCount === 0 ? [] : [`${formatMany(leftCount, 'order')} not cancelled, still resting.`]),
    ...(openCount === 0 ? [] : [`${formatMany(openCount, 'order')} not confirmed: the list shows what rests.`]),
  ];
  return parts.join(' ');
}

/** Cancels resting orders, one after the other. @returns the failures of those that were not cancelled */
export function useCancelOrders() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const failures: unknown[] = [];
      for (const id of ids) {
        await dataOf(api.DELETE('/api/orders/{id}', { params: { path: { id } } })).catch((failure: unknown) => {
          failures.push(failure);
        });
      }
      return failures;
    },
    // Not awaited: the refetch removes the row, and the callbacks of its mutation would not run.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.orders.all }),
  });
}

/** Cancels one resting order and says so. */
export function useCancelOrder() {
  const { isPending, mutateAsync } = useCancelOrders();
  /** @param name of the order, for the message: `buy limit BTCUSDT` */
  const cancel = useCallback(
    (id: string, name: string) =>
      void mutateAsync([id]).then(([failure]) => {
        if (failure === undefined) toast(`Cancelled: ${name}`, 'success');
        else toastRejection(messageOf(failure, 'Could not cancel the order.'), failure);
      }),
    [mutateAsync],
  );
  return { isPending, cancel };
}
