import { openPage } from '../../state/navigation.ts';
import { fundsState } from './fundsState.ts';

/** What MoonPay appends to the address it sends people back to. */
const appended = ['transactionId', 'transactionStatus'];

/** Takes MoonPay's words out of the address, once. Anybody can write them, so they only lead to the page that says how credits come. */
export function takeCardReturn(params: URLSearchParams): void {
  const isReturn = appended.some((name) => params.has(name));
  for (const name of appended) params.delete(name);
  if (!isReturn) return;
  fundsState.hasReturnedFromCard = true;
  openPage('funds', 'moonpay');
}
