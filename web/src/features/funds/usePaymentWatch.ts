import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { PAYMENTS_RECENT, useCancelPayment, usePaymentStatus } from '../../api/payments.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { serverClock } from '../../api/serverClock.ts';
import type { Payment } from '../../api/types.ts';
import { isPaid } from '../../format/paymentNames.ts';
import { toast } from '../../state/toasts.ts';
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

const TICK_MS = 1000;

interface Term {
  created_at: string;
  expires_at: string;
}

/**
 * Whole seconds until the payment expires, rounded up; 0 from then on. Never more than the full seconds of its term: the clock of
 * the server is known to a fraction of a second only, so that 15 minutes would begin at 15:01.
 */
export function secondsLeft({ created_at: createdAt, expires_at: expiresAt }: Term, nowMs: number): number {
  const endMs = Date.parse(expiresAt);
  const termS = Math.floor((endMs - Date.parse(createdAt)) / 1000);
  return Math.max(0, Math.min(termS, Math.ceil((endMs - nowMs) / 1000)));
}

/** `14:59`; with hours from the first full one on: `23:59:59`. */
export function countdownText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Counts down every second by the clock of the server; null without a payment. */
export function useSecondsLeft(payment: Term | null): number | null {
  const [nowMs, setNowMs] = useState(serverClock.now);
  const isRunning = payment !== null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(serverClock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return payment === null ? null : secondsLeft(payment, nowMs);
}
