import type { Result } from '@sextant/workers/src/result.ts';
import type { PaymentMethod, ProviderName } from './states.ts';

/** What a provider says about one transfer, in our terms. Amounts are decimal texts. */
export interface TransferReport {
  provider: ProviderName;
  /** Id of the payment at the provider; a further transfer to the same address has one of its own. */
  transferId: string;
  /** Id of the payment whose address the transfer went to, when it is not that payment itself. */
  parentId: string | null;
  /** Our id of the order, as the provider gives it back. */
  orderId: string | null;
  /** The provider's own word for its state. */
  word: string;
  /** Price in US dollars that `finished` of the invoice itself means was paid, e.g. within the provider's tolerance; null: it means less. */
  invoiceUsd: string | null;
  payAddress: string | null;
  payAmount: string | null;
  payCurrency: string | null;
  payMemo: string | null;
  /** Coins that arrived. */
  paidAmount: string | null;
  /** Their value in US dollars, where the provider tells it. */
  paidUsd: string | null;
  transactionHash: string | null;
}

/**
 * `unclear`: the call may have been carried out. `refused`: it was not, and `message` is the provider's own text. `busy`: it was not, and may
 * be tried again; `status` is null when the provider was not reached.
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
  /** When the provider stops taking the amount at this rate; null when it does not say. */
  expiresAt: Date | null;
  /** A page of the provider for this payment. */
  paymentUrl: string | null;
}

/** A notification as it arrived: the exact bytes, and the headers of the request. */
export interface Notification {
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}
/** `forged`: no valid signature. `malformed`: signed or not, it cannot be read. */
export type NotificationResult = Result<TransferReport, { reason: 'forged' | 'malformed'; message: string }>;

/** What every provider of payments can do. */
export interface PaymentProvider {
  name: ProviderName;
  readNotification: (notification: Notification) => NotificationResult;
  readStatus: (transferId: string) => Promise<ProviderResult<TransferReport>>;
  /**
   * All transfers that were made since then. Undefined when this installation has no access to the list.
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
  /** Least payment in US dollars. */
  minimumUsd: (method: OrderRequest['method']) => Promise<ProviderResult<number>>;
}

/** A provider whose widget takes cards. */
export interface CardProvider extends PaymentProvider {
  isSandbox: boolean;
  widgetUrl: (order: { orderId: string; amountUsd: number; returnUrl: string; customerId: string }) => string;
}
