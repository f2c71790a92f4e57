import type { Result } from '@sextant/workers/src/core/result.ts';
import type { PaymentMethod, ProviderName } from './states.ts';

/** A provider's report of one transfer, in our terms. Amounts are decimal texts. */
export interface TransferReport {
  provider: ProviderName;
  /** Id of the payment at the provider; a further transfer to the same address has a separate id. */
  transferId: string;
  /** Id of the payment whose address the transfer went to, when it is not that payment itself. */
  parentId: string | null;
  /** Our id of the order, as returned by the provider. */
  orderId: string | null;
  /** The provider's term for its state. */
  word: string;
  /** Price in US dollars that `finished` confirms as paid, e.g. within the tolerance; null: `finished` does not imply full payment. */
  invoiceUsd: string | null;
  payAddress: string | null;
  payAmount: string | null;
  payCurrency: string | null;
  payMemo: string | null;
  /** Coins that arrived. */
  paidAmount: string | null;
  /** Their value in US dollars, if the provider states it. */
  paidUsd: string | null;
  transactionHash: string | null;
}

/**
 * `unclear`: the call may have been executed. `refused`: it was not, and `message` is the provider's text. `busy`: it was not, and may be
 * retried; `status` is null when the provider was not reached.
 */
export type ProviderFailure =
  | { kind: 'refused'; status: number; message: string; isBelowMinimum: boolean }
  | { kind: 'busy'; status: number | null; message: string; retryAfterS: number }
  | { kind: 'unclear'; message: string };
export type ProviderResult<T> = Result<T, ProviderFailure>;

export interface OrderRequest {
  orderId: string;
  amountUsd: number;
  method: Exclude<PaymentMethod, 'card'>;
  /** Where the provider sends its notifications. */
  notifyUrl: string;
}

export interface CreatedInvoice {
  report: TransferReport;
  /** Expiry of the amount at this rate; null when the provider states none. */
  expiresAt: Date | null;
  /** The provider's page for this payment. */
  paymentUrl: string | null;
}

/** A received notification: the exact bytes, and the headers of the request. */
export interface Notification {
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}
/** `forged`: no valid signature. `malformed`: unreadable, signed or not. */
export type NotificationResult = Result<TransferReport, { reason: 'forged' | 'malformed'; message: string }>;

/** Capabilities of every payment provider. */
export interface PaymentProvider {
  name: ProviderName;
  readNotification: (notification: Notification) => NotificationResult;
  readStatus: (transferId: string) => Promise<ProviderResult<TransferReport>>;
  /**
   * All transfers created since then. Undefined when this installation has no access to the list.
   * @param since inclusive
   */
  list: (since: Date) => Promise<ProviderResult<TransferReport[]> | undefined>;
  close: () => Promise<void>;
}

/** A provider that gives an address to send coins to. */
export interface CoinProvider extends PaymentProvider {
  /** Whether no real money moves. */
  isSandbox: boolean;
  create: (order: OrderRequest) => Promise<ProviderResult<CreatedInvoice>>;
  estimate: (method: OrderRequest['method'], amountUsd: number) => Promise<ProviderResult<string>>;
  /** Minimum payment in US dollars. */
  minimumUsd: (method: OrderRequest['method']) => Promise<ProviderResult<number>>;
}

/** A provider whose widget takes cards. */
export interface CardProvider extends PaymentProvider {
  isSandbox: boolean;
  widgetUrl: (order: { orderId: string; amountUsd: number; returnUrl: string; customerId: string }) => string;
}
