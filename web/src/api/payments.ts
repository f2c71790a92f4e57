import { PENDING_PAYMENT_HOURS } from '@sextant/workers/src/core/limits.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import { serverClock } from './serverClock.ts';
import type { Payment } from './types.ts';
import { storeResponse } from './storeResponse.ts';

/** Payments fetched by the funds screen and by the history. */
export const PAYMENTS_RECENT = 20;
export const PAYMENTS_HISTORY = 50;
const STATUS_POLL_MS = 5000;
const RECEIPTS_POLL_MS = 10_000;

export type CoinMethod = 'usdt' | 'bnb';

export function usePayments(limit: number) {
  return useQuery({
    queryKey: queryKeys.payments.list(limit),
    queryFn: ({ signal }) => dataOf(api.GET('/api/billing/payments', { params: { query: { limit } }, signal })),
    select: (response) => response.payments,
  });
}

/** The newest pending payment in coins, or with a card, of the last `PENDING_PAYMENT_HOURS`. */
export const pendingOf = (payments: readonly Payment[], kind: 'coin' | 'card'): Payment | undefined =>
  payments.find(
    ({ status, method, created_at: createdAt }) =>
      status === 'PENDING' &&
      (method === 'card') === (kind === 'card') &&
      serverClock.now() - Date.parse(createdAt) < PENDING_PAYMENT_HOURS * 3_600_000,
  );

/** @param id null while no payment is watched @param isPaused while another loop polls */
export function usePaymentStatus(id: string | null, isPaused: boolean) {
  return useQuery({
    queryKey: queryKeys.payments.status(id ?? ''),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/billing/now/status', { params: { query: { payment_id: id ?? '' } }, signal })),
    select: (response) => response.payment,
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      isPaused || (state.data !== undefined && state.data.payment.status !== 'PENDING') ? false : STATUS_POLL_MS,
    // Refetched in 5 s anyway.
    retry: false,
  });
}

/** One payment with its history. */
export function usePayment(id: string) {
  return useQuery({
    queryKey: queryKeys.payments.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/billing/payments/{id}', { params: { path: { id } }, signal })),
  });
}

export function useMethods() {
  return useQuery({
    queryKey: queryKeys.payments.methods,
    queryFn: ({ signal }) => dataOf(api.GET('/api/billing/methods', { signal })),
    select: (response) => response.methods,
  });
}

/** Current price of a purchase in coins. */
export function useEstimate(currency: CoinMethod, amount: number, isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.payments.estimate(currency, amount),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/billing/now/estimate', { params: { query: { amount, currency } }, signal })),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // A figure beside the form: the form works without it.
    retry: false,
  });
}

export function useCreatePayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { amount: number; currency: CoinMethod }) =>
      dataOf(api.POST('/api/billing/now/create-payment', { body })),
    onSuccess: async (response) => {
      await storeResponse(client, queryKeys.payments.status(response.payment.id), response);
      void client.invalidateQueries({ queryKey: queryKeys.payments.list(PAYMENTS_RECENT) });
    },
  });
}

/** Cancels an order, or lets it run out. Resolves to whether the server ended it; a failure is false, too. */
export function useCancelPayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ order_id, reason }: { order_id: string; reason: 'cancelled' | 'expired' }) =>
      dataOf(api.POST('/api/billing/now/cancel', { body: { order_id, reason } })).then(
        ({ cancelled }) => cancelled,
        () => false,
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.payments.all }),
  });
}

/** Opens a card order and returns the URL of its widget. @param amount undefined where cards are not set up: the sandbox sets one */
export const openCardWidget = (amount: number | undefined) =>
  dataOf(api.GET('/api/billing/moonpay/url', { params: { query: amount === undefined ? {} : { amount } } }));

export function usePaymentAnalytics() {
  return useQuery({
    queryKey: queryKeys.payments.analytics,
    queryFn: ({ signal }) => dataOf(api.GET('/api/billing/analytics', { signal })),
  });
}

/** @param year null for all */
export function useReceipts(year: number | null) {
  return useQuery({
    queryKey: queryKeys.payments.receipts(year),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/billing/receipts', { params: { query: year === null ? {} : { year } }, signal })),
    placeholderData: keepPreviousData,
    // Issued within seconds after the payment.
    refetchInterval: RECEIPTS_POLL_MS,
  });
}
