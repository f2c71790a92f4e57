import { PENDING_PAYMENT_HOURS } from '@sextant/workers/src/core/limits.ts';
import { PURCHASE_MIN } from '@sextant/workers/src/core/creditPrices.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text } from '../../platform/contract.ts';
import { Problem } from '../../platform/http/problem.ts';
import { events, eventKinds, methods, paymentStatuses, providers } from './states.ts';

/** Initial amount of the purchase form. */
export const PURCHASE_DEFAULT = 20;
/** Larger purchases need several payments. */
export const PURCHASE_MAX = 10_000;
/** Amount of the card widget in the sandbox. */
export const CARD_SANDBOX_AMOUNT = 100;
/** Lifetime of an invoice without an expiry of the provider. */
export const INVOICE_EXPIRES_S = 900;
/** Default and maximum number of listed payments. */
export const PAYMENTS_LISTED = 20;
export const PAYMENTS_LISTED_MAX = 50;

const Instant = z.iso.datetime();
const Decimal = z.string().meta({ description: 'Decimal number as text, exact to its last digit.' });
const Credits = z.int();

export const PaymentStatus = z.enum(paymentStatuses).meta({ description: 'Status, the same for every provider.' });
export const PaymentMethod = z
  .enum(methods)
  .meta({ description: '`usdt` on TRON (TRC-20), `bnb` on BNB Smart Chain (BEP-20), or a card.' });

const wholeDollars = z
  .int('must be a whole number of US dollars')
  .min(PURCHASE_MIN, `must be at least ${PURCHASE_MIN}`)
  .max(PURCHASE_MAX, `must be at most ${PURCHASE_MAX}`);
const CoinName = z.enum(['usdt', 'bnb', 'usdttrc20', 'bnbbsc'], 'must be usdt or bnb');

const isSameOrSingle = (a: unknown, b: unknown): boolean =>
  (a === undefined) !== (b === undefined) || (a !== undefined && a === b);
export const CreatePaymentBody = z
  .strictObject({
    amount: wholeDollars.optional().meta({ description: 'US dollars to pay; buys as many credits.' }),
    tokens: wholeDollars.optional().meta({ description: 'The same as `amount`, under its other name.' }),
    currency: CoinName.optional().meta({ description: '`usdt` is USDT on TRC-20, `bnb` is BNB on BEP-20.' }),
    pay_currency: CoinName.optional().meta({ description: 'The same as `currency`, under its other name.' }),
  })
  .refine(({ amount, tokens }) => isSameOrSingle(amount, tokens), {
    path: ['amount'],
    error: 'give amount or tokens, or both with one value',
  })
  .refine((body) => isSameOrSingle(body.currency, body.pay_currency), {
    path: ['currency'],
    error: 'give currency or pay_currency, or both with one value',
  });

export const PaymentStatusQuery = z.strictObject({
  payment_id: Text.min(1).max(64).meta({ description: 'Id of the payment at its provider, or our own id of it.' }),
});
export const CancelPaymentBody = z.strictObject({
  order_id: z.uuid(),
  reason: z
    .enum(['cancelled', 'expired'])
    .default('cancelled')
    .meta({ description: '`expired`: countdown at zero; stored as EXPIRED.' }),
});
export const PaymentsQuery = z.strictObject({
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(PAYMENTS_LISTED_MAX, `must be at most ${PAYMENTS_LISTED_MAX}`)
    .default(PAYMENTS_LISTED),
});
export const LatestPaymentQuery = z.strictObject({
  hours: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(720, 'must be at most 720')
    .optional()
    .meta({
      description: `Returns the latest PENDING payment of this many hours; ${PENDING_PAYMENT_HOURS} when only \`status\` is given.`,
    }),
  status: z.literal('PENDING').optional().meta({ description: 'Filters for a pending payment.' }),
});
export const PaymentId = z.strictObject({ id: z.uuid() });
export const EstimateQuery = z.strictObject({
  amount: z.coerce
    .number('must be a number')
    .int('must be a whole number of US dollars')
    .min(PURCHASE_MIN, `must be at least ${PURCHASE_MIN}`)
    .max(PURCHASE_MAX, `must be at most ${PURCHASE_MAX}`),
  currency: CoinName,
});
export const CardUrlQuery = z.strictObject({
  amount: z.coerce
    .number('must be a number')
    .int('must be a whole number of US dollars')
    .min(PURCHASE_MIN, `must be at least ${PURCHASE_MIN}`)
    .max(PURCHASE_MAX, `must be at most ${PURCHASE_MAX}`)
    .default(CARD_SANDBOX_AMOUNT),
});

export const Payment = z
  .object({
    id: z.uuid(),
    order_id: z.uuid().meta({ description: 'Our id of the order at the provider.' }),
    payment_id: z.string().nullable().meta({ description: 'Id at the provider; null until it responds.' }),
    provider: z.enum(providers),
    method: PaymentMethod,
    network: z.string().nullable().meta({ description: 'Network name. Money sent on another network is lost.' }),
    tokens: Credits.meta({ description: 'Credits ordered.' }),
    amount_cents: z.int().meta({ description: 'Price in US cents.' }),
    status: PaymentStatus,
    provider_status: z.string().nullable().meta({ description: 'Last status of the provider, unchanged.' }),
    next: z
      .array(PaymentStatus)
      .meta({ description: 'Possible next statuses; cancellable if `CANCELLED` is among them.' }),
    credits: Credits.min(0).meta({ description: 'Credits added so far, before refunds.' }),
    credits_refunded: Credits.min(0).meta({
      description: 'Credits taken back or still owed after a refund.',
    }),
    note: z.string().nullable().meta({ description: 'Note on a partial, late or refunded payment.' }),
    pay_address: z.string().nullable(),
    pay_amount: Decimal.nullable(),
    pay_currency: z
      .string()
      .nullable()
      .meta({ examples: ['usdttrc20', 'bnbbsc'] }),
    pay_memo: z.string().nullable().meta({ description: 'Memo or tag; send it where the network needs it.' }),
    payment_uri: z
      .string()
      .nullable()
      .meta({ description: 'Content of the QR code: address and amount for a wallet.' }),
    payment_url: z.string().nullable().meta({ description: 'Payment page of the provider, if any.' }),
    rate_usd: Decimal.nullable().meta({ description: 'US dollars per coin in the invoice.' }),
    paid_amount: Decimal.nullable().meta({ description: 'Coins received so far.' }),
    transaction_hash: z.string().nullable(),
    transaction_url: z.string().nullable().meta({ description: 'Link to the transaction in an explorer.' }),
    expires_at: Instant,
    created_at: Instant,
    updated_at: Instant,
    credited_at: InstantOrNull,
  })
  .meta({ description: 'One purchase of credits.' });
export type PaymentWire = z.input<typeof Payment>;

export const PaymentEvent = z.object({
  id: z.uuid(),
  at: Instant,
  kind: z.enum(eventKinds).meta({
    description: Object.entries(events)
      .map(([kind, text]) => `\`${kind}\`: ${text}`)
      .join(' '),
  }),
  status: PaymentStatus.meta({ description: 'Status of the payment after the event.' }),
  provider_status: z.string().nullable(),
  payment_id: z
    .string()
    .nullable()
    .meta({ description: 'Id at the provider; differs from the payment for a further transfer.' }),
  credits: Credits.meta({ description: 'Credits added; negative: taken back.' }),
  paid_amount: Decimal.nullable(),
  pay_currency: z.string().nullable(),
  transaction_hash: z.string().nullable(),
  transaction_url: z.string().nullable(),
  note: z.string().nullable(),
});

/** The fields of an invoice under the names of the specification, with the whole payment. */
export const Invoice = z.object({
  payment_id: z.string().nullable(),
  order_id: z.uuid(),
  pay_address: z.string().nullable(),
  pay_amount: Decimal.nullable(),
  pay_currency: z.string().nullable(),
  status: PaymentStatus,
  expiresAt: Instant,
  is_existing: z.boolean().meta({ description: 'True: an invoice was already open; this is it.' }),
  payment: Payment,
});
export type InvoiceWire = z.input<typeof Invoice>;
export const CancelPaymentResponse = z.object({
  cancelled: z.boolean().meta({ description: 'False: no pending payment for this order; nothing changed.' }),
  payment: Payment.nullable(),
});
export const PaymentsResponse = z.object({ payments: z.array(Payment).meta({ description: 'Newest first.' }) });
export const LatestPaymentResponse = z.object({ payment: Payment.nullable() });
export const PaymentDetailResponse = z.object({
  payment: Payment,
  events: z.array(PaymentEvent).meta({ description: 'Oldest first.' }),
});

export const MethodsResponse = z.object({
  methods: z.array(
    z.object({
      method: PaymentMethod,
      name: z.string().meta({ examples: ['USDT'] }),
      network: z
        .string()
        .nullable()
        .meta({ examples: ['TRON (TRC-20)'] }),
      pay_currency: z.string().nullable(),
      provider: z.enum(providers),
      is_available: z.boolean().meta({ description: 'Whether this method is available.' }),
      is_sandbox: z.boolean().meta({ description: 'A sandbox or practice provider: no real money moves.' }),
      minimum_usd: z.number().meta({ description: 'Minimum payment: the higher of our own and the provider’s.' }),
      maximum_usd: z.int(),
      default_usd: z.int(),
      expires_in_s: z.int().nullable().meta({
        description: 'Invoice lifetime unless the provider sets one; null for cards.',
      }),
      last_used_at: InstantOrNull,
    }),
  ),
});
export type MethodsWire = z.input<typeof MethodsResponse>;
export const EstimateResponse = z.object({
  amount: z.int(),
  pay_amount: Decimal,
  pay_currency: z.string(),
  minimum_usd: z.number(),
  is_below_minimum: z.boolean().meta({ description: 'Below the provider’s current minimum.' }),
});
export const CardUrlResponse = z.object({
  url: z.string().meta({ description: 'Signed address of the widget, for an iframe.' }),
  origin: z.string().meta({ description: 'Origin of the widget; ignore messages from other origins.' }),
  order_id: z.uuid().nullable().meta({ description: 'null: cards are not configured; the sandbox gives no credits.' }),
  payment_id: z.uuid().nullable().meta({ description: 'Our payment id, to read its status.' }),
  amount: z.int(),
  is_configured: z.boolean(),
  is_sandbox: z.boolean(),
});
/** An error of the provider, with its message. */
export const PaymentProblem = z.object({
  ...Problem.shape,
  provider_detail: z.string().optional().meta({ description: 'Message of the payment provider; shown first.' }),
});
/** Response to a provider, which reads only the status. */
export const NoticeResponse = z.object({ ok: z.literal(true) });

export const ReceiptsQuery = z.strictObject({
  year: z.coerce
    .number('must be a number')
    .int('must be a year')
    .min(2020, 'must be at least 2020')
    .max(2100, 'must be at most 2100')
    .optional(),
});
export const ReceiptsCsvQuery = z.strictObject({ year: ReceiptsQuery.shape.year.unwrap() });
export const Receipt = z
  .object({
    id: z.uuid(),
    number: z.string().meta({ examples: ['2026-000017'], description: 'Consecutive within a year.' }),
    year: z.int(),
    issued_at: Instant,
    order_id: z.uuid(),
    payment_id: z.string().nullable(),
    method: PaymentMethod,
    method_name: z.string().meta({ examples: ['USDT on TRON (TRC-20)'] }),
    credits: Credits.meta({ description: 'Negative on the receipt of a refund.' }),
    amount_cents: z.int().meta({ description: 'US cents; negative on the receipt of a refund.' }),
    seller: z.object({ name: z.string(), address: z.string(), tax_id: z.string().nullable() }),
  })
  .meta({ description: 'Never changed once issued.' });
export type ReceiptWire = z.input<typeof Receipt>;
export const ReceiptsResponse = z.object({
  receipts: z.array(Receipt).meta({ description: 'Newest first.' }),
  years: z.array(z.int()).meta({ description: 'Years that have receipts, newest first.' }),
  is_available: z.boolean().meta({ description: 'False: the operator has not set the seller details; no receipts.' }),
});
export const ReceiptsCsv = z.string().meta({ description: 'RFC 4180, oldest first.' });
export const ReceiptPdf = z.unknown().meta({ type: 'string', format: 'binary' });
export const ReceiptResponse = z.object({ receipt: Receipt });

const Used = z.object({ scan: Credits, arbitrage: Credits, vision: Credits, plan: Credits });
export const PaymentAnalyticsResponse = z.object({
  months: z
    .array(
      z.object({
        month: z.string().meta({ examples: ['2026-11'] }),
        bought: Credits.meta({ description: 'Credits added by payments, less refunds.' }),
        spent_cents: z.int().meta({ description: 'US cents paid for them.' }),
        used: Used.meta({ description: 'Credits spent, by operation.' }),
        used_total: Credits,
      }),
    )
    .meta({ description: 'The last twelve months (UTC), oldest first, empty ones included.' }),
  methods: z.array(
    z.object({
      method: PaymentMethod,
      started: z.int(),
      completed: z.int(),
      success_rate: z.number().nullable().meta({ description: 'Completed share of finished payments; null: none.' }),
      median_seconds_to_credit: z.number().nullable(),
    }),
  ),
  totals: z
    .object({ bought: Credits, spent_cents: z.int(), used: Credits })
    .meta({ description: 'Since the account exists.' }),
});
export type PaymentAnalyticsWire = z.input<typeof PaymentAnalyticsResponse>;
