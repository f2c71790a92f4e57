import { proxy } from 'valtio';
import type { CoinMethod } from '../../api/payments.ts';
import { openPage } from '../../state/navigation.ts';
import { onUserReset } from '../../state/userReset.ts';

interface FundsState {
  /** The amount as it is typed; null until it is edited. */
  amountText: string | null;
  /** Null: the method of the open payment, else the first one. */
  method: CoinMethod | null;
  /** Id of the payment that is watched until it ends, and shown in the details. */
  watchedId: string | null;
  /** Id of the card purchase whose form was opened: its end is announced. */
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

/** What the Funds tab remembers while other tabs are looked at. */
export const fundsState = proxy<FundsState>(first());

onUserReset(() => Object.assign(fundsState, first()));

/** @param isNew it was made just now: the fast loop looks after it first */
export function watchPayment(id: string, isNew: boolean): void {
  fundsState.watchedId = id;
  fundsState.tryCount = isNew ? 1 : null;
}

/** What MoonPay appends to the address it sends people back to. */
const appended = ['transactionId', 'transactionStatus'];

/** Removes MoonPay's parameters from the address. They are not signed, so they only open the page that says how credits arrive. */
export function takeCardReturn(params: URLSearchParams): void {
  const isReturn = appended.some((name) => params.has(name));
  for (const name of appended) params.delete(name);
  if (!isReturn) return;
  fundsState.hasReturnedFromCard = true;
  openPage('funds', 'moonpay');
}
