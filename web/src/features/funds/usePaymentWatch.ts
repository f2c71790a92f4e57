import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { PAYMENTS_RECENT, useCancelPayment, usePaymentStatus } from '../../api/payments.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Payment } from '../../api/types.ts';
import { isPaid } from '../../format/paymentNames.ts';
import { toast } from '../../state/toasts.ts';
import { useSecondsLeft } from './countdown.ts';
import { fundsState } from './fundsState.ts';

/** Right after a payment was made: so many looks at credits and payments, so far apart. */
export const FAST_TRIES = 5;
const FAST_TRY_MS = 1500;

/**
 * Follows the watched payment to its end, whatever tab is open: events of the server, and the two polling loops beneath them.
 * Use once, in the signed-in shell.
 */
export function usePaymentWatch(): void {
  const { watchedId, watchedCardId, tryCount } = useSnapshot(fundsState);
  const { data: payment } = usePaymentStatus(watchedId, tryCount !== null);
  const { data: card } = usePaymentStatus(watchedCardId, false);
  const isPending = payment?.status === 'PENDING';
  useFastTries(watchedId, isPending && tryCount !== null);
  useOutcome(payment);
  useOutcome(card);
  useExpiry(isPending ? payment : undefined);
}

/** Credits and the list of payments, five times, while the payment stays pending. */
function useFastTries(id: string | null, isRunning: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (id === null || !isRunning) return;
    const timer = setInterval(() => {
      void client.invalidateQueries({ queryKey: queryKeys.credits });
      void client.invalidateQueries({ queryKey: queryKeys.payments.list(PAYMENTS_RECENT) });
      const tries = (fundsState.tryCount ?? 0) + 1;
      fundsState.tryCount = tries > FAST_TRIES ? null : tries;
    }, FAST_TRY_MS);
    return () => clearInterval(timer);
  }, [client, id, isRunning]);
}

/** Announces a payment that was pending when it was last seen, and reads anew what it changed. */
function useOutcome(payment: Payment | undefined): void {
  const client = useQueryClient();
  const last = useRef<{ id: string; status: string } | null>(null);
  const { id, status } = payment ?? { id: '', status: '' };
  useEffect(() => {
    if (id === '') return;
    const before = last.current;
    last.current = { id, status };
    if (before?.id !== id || before.status === status) return;
    void client.invalidateQueries({ queryKey: queryKeys.credits });
    void client.invalidateQueries({ queryKey: queryKeys.payments.all });
    if (isPaid(status))
      toast('Payment completed successfully! Credits added to your account.', 'success', `payment ${id} paid`);
    if (status === 'FAILED') toast('Payment failed. Please try again.', 'error', `payment ${id} failed`);
  }, [client, id, status]);
}

/** At zero the order is ended once. The server refuses that while a transfer is being confirmed. */
function useExpiry(payment: Payment | undefined): void {
  const { mutate } = useCancelPayment();
  const left = useSecondsLeft(payment ?? null);
  const ended = useRef<string | null>(null);
  const orderId = payment?.order_id ?? null;
  useEffect(() => {
    if (orderId === null || left !== 0 || ended.current === orderId) return;
    ended.current = orderId;
    mutate({ order_id: orderId, reason: 'expired' });
  }, [left, mutate, orderId]);
}
