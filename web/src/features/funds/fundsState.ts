import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { type CoinMethod, PAYMENTS_RECENT, useCancelPayment, usePaymentStatus } from '../../api/payments.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { serverClock } from '../../api/serverClock.ts';
import type { Payment } from '../../api/types.ts';
import { isPaid } from '../../format/paymentNames.ts';
import { openPage } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';

interface FundsState {
  /** The amount as typed; null until it is edited. */
  amountText: string | null;
  /** Null: the method of the open payment, else the first one. */
  method: CoinMethod | null;
  /** Id of the payment that is watched until it ends, and shown in the details. */
  watchedId: string | null;
  /** Id of the card purchase whose form was opened: its outcome is announced. */
  watchedCardId: string | null;
  /** Tries of the fast loop after a payment was made; null when it does not run. */
  tryCount: number | null;
  /** The card service sent the user back. Its parameters in the address are ignored: they are not signed. */
  hasReturnedFromCard: boolean;
}

const first = (): FundsState => ({
  amountText: null,
  method: null,
  watchedId: null,
  watchedCardId: null,
  tryCount: null,
  hasReturnedFromCard: false,
});

/** State of the Funds tab, preserved while other tabs are open. */
export const fundsState = proxy<FundsState>(first());

onUserReset(() => Object.assign(fundsState, first()));

/** @param isNew just created: the fast loop polls it first */
export function watchPayment(id: string, isNew: boolean): void {
  fundsState.watchedId = id;
  fundsState.tryCount = isNew ? 1 : null;
}

/** Query parameters MoonPay appends to the return URL. */
const appended = ['transactionId', 'transactionStatus'];

/** Reads MoonPay's parameters of the return URL. They are not signed, so they only open the page that says how credits arrive. */
export function takeCardReturn(params: URLSearchParams): void {
  if (!appended.some((name) => params.has(name))) return;
  fundsState.hasReturnedFromCard = true;
  openPage('funds', 'moonpay');
}

/** Polls of credits and payments right after a payment was created, and their interval. */
export const FAST_TRIES = 5;
const FAST_TRY_MS = 1500;

/**
 * Follows the watched payment to its end, whatever tab is open: by server events, with two polling loops as fallback. Use once, in the
 * signed-in shell.
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

/** Announces the outcome of a payment last seen as pending, and refetches what it changed. */
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

/** At zero the order is cancelled once. The server rejects that while a transfer is being confirmed. */
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
 * Whole seconds until the payment expires, rounded up; 0 from then on. Capped at the full seconds of its term: the server's clock is known
 * to a fraction of a second only, so 15 minutes would start at 15:01.
 */
export function secondsLeft({ created_at: createdAt, expires_at: expiresAt }: Term, nowMs: number): number {
  const endMs = Date.parse(expiresAt);
  const termS = Math.floor((endMs - Date.parse(createdAt)) / 1000);
  return Math.max(0, Math.min(termS, Math.ceil((endMs - nowMs) / 1000)));
}

/** `14:59`; with hours from one hour on: `23:59:59`. */
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

/** The digits of typed or pasted text, without leading zeros, limited to the length of a large amount. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, '').replace(/^0+/, '').slice(0, 7);

/** Whole US dollars. */
export interface Bounds {
  min: number;
  max: number;
}

/** Whole US dollars within the bounds: an empty text becomes the minimum. */
export const clampAmount = (text: string, { min, max }: Bounds): number =>
  Math.min(max, Math.max(min, Number(digitsOf(text))));

/** Text about an adjusted amount: a value is never changed silently. */
export function raisedText(text: string, { min, max }: Bounds): string | null {
  const typed = Number(digitsOf(text));
  if (typed >= min && typed <= max) return null;
  const from = text === '' ? 'nothing' : String(typed);
  return typed < min
    ? `Minimum ${min} USD: ${from} changed to ${min}.`
    : `Maximum ${max} USD at once: ${from} changed to ${max}.`;
}
