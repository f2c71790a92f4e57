import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { PENDING_PAYMENT_HOURS } from '@sextant/workers/src/core/limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { apiErrors, type ApiErrorCode } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { isFromForeignSite } from '../../platform/http/originGuard.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import { openCardOrder } from './cardOrder.ts';
import { coins as coinFacts, methodOf } from './coins.ts';
import {
  CancelPaymentResponse,
  CancelPaymentBody,
  CARD_SANDBOX_AMOUNT,
  CardUrlResponse,
  CardUrlQuery,
  CreatePaymentBody,
  EstimateResponse,
  EstimateQuery,
  Invoice,
  LatestPaymentResponse,
  LatestPaymentQuery,
  MethodsResponse,
  PaymentDetailResponse,
  PaymentId,
  PaymentProblem,
  PaymentsResponse,
  PaymentsQuery,
  PaymentStatusQuery,
  PURCHASE_DEFAULT,
} from './contract.ts';
import { cancelPayment, createPayment, failureOf } from './createPayment.ts';
import { listMethods, minimumOf } from './methods.ts';
import type { CardProvider, CoinProvider } from './port.ts';
import {
  findPayment,
  readEvents,
  readLastUses,
  readLatest,
  readPayment,
  readPayments,
  toInvoice,
} from './readPayments.ts';
import type { Seller } from '../../config.ts';

export interface PaymentSettings {
  /** Undefined when this installation does not accept coins. */
  coins: CoinProvider | undefined;
  /** Undefined when this installation does not accept cards. */
  cards: CardProvider | undefined;
  /** The widget shown when cards are not configured: a sandbox without credits. */
  cardSandboxUrl: string;
  /** Named on receipts; none are issued while it is undefined. */
  seller: Seller | undefined;
  /** Public URL of the product, without a trailing slash. */
  baseUrl: string;
}
export interface PaymentRoutesDeps {
  db: Db;
  payments: PaymentSettings;
}

const tags = ['Payments'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const unknown = { code: 'not_found', message: apiErrors.not_found.title } as const;
const reject = (reply: FastifyReply, code: ApiErrorCode, retryAfterS?: number) =>
  sendProblem(reply, { code, message: apiErrors[code].title, ...withoutUndefined({ retryAfterS }) });

export function paymentRoutes(app: App, deps: PaymentRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  createRoute(app, deps);
  cancelRoute(app, deps);
  readingRoutes(app, deps);
  latestRoutes(app, deps);
  methodRoutes(app, deps);
  cardRoute(app, deps);
}

/** A demo account is deleted a day later, with everything paid for it. */
function rejectDemoPayment({ user }: FastifyRequest): Promise<void> {
  if (!isDemoEmail(user.email)) return Promise.resolve();
  return Promise.reject(rejectionError('forbidden', 'Demo accounts cannot buy credits. Create an account first.'));
}

function createRoute(app: App, { db, payments }: PaymentRoutesDeps): void {
  app.post(
    '/api/billing/now/create-payment',
    {
      onRequest: rejectDemoPayment,
      schema: {
        access: 'session',
        tags,
        summary: 'Create an invoice for credits, paid in USDT or BNB',
        description:
          'While an invoice is open, it is returned (`is_existing`) instead of a new one. The order is stored before the ' +
          'provider is called. A rejection carries the provider’s message in `provider_detail`.',
        body: CreatePaymentBody,
        response: {
          200: Invoice,
          ...signedIn,
          ...problems(...bodyRejections, 'rate_limited', 'payment_provider_unavailable', 'payment_unconfirmed'),
          422: PaymentProblem,
        },
      },
    },
    async (request, reply) => {
      const { coins } = payments;
      if (coins === undefined) return reject(reply, 'payments_unavailable');
      const { amount, tokens, currency, pay_currency: payCurrency } = request.body;
      const order = {
        userId: request.user.id,
        amount: amount ?? tokens ?? PURCHASE_DEFAULT,
        method: methodOf(currency ?? payCurrency ?? 'usdt'),
      };
      const deps = { db, coins, notifyUrl: `${payments.baseUrl}/api/billing/now/ipn` };
      const created = await createPayment(deps, order);
      if (!created.ok) {
        const { rejection, providerDetail } = created.error;
        return sendProblem(reply, rejection, providerDetail === undefined ? {} : { provider_detail: providerDetail });
      }
      const { id, isExisting } = created.value;
      const payment = await withUser(db, request.user.id, (tx) => readPayment(tx, id));
      return payment === null ? sendProblem(reply, unknown) : toInvoice(payment, isExisting);
    },
  );
}

function cancelRoute(app: App, { db }: PaymentRoutesDeps): void {
  app.post(
    '/api/billing/now/cancel',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Cancel an open invoice, or close it at the end of its countdown',
        description:
          '`cancelled` is false when nothing was open; not an error. Reason `expired` before the end of the countdown is ' +
          'rejected. Money that arrives later is still credited.',
        body: CancelPaymentBody,
        response: { 200: CancelPaymentResponse, ...signedIn, ...problems(...bodyRejections, 'conflict') },
      },
    },
    async (request) => {
      const { order_id: orderId, reason } = request.body;
      const { id: userId } = request.user;
      const ended = await cancelPayment(db, { userId, orderId, reason });
      if (ended === null) return { cancelled: false, payment: null };
      const payment = await withUser(db, userId, (tx) => readPayment(tx, ended.id));
      return { cancelled: ended.isDone, payment };
    },
  );
}

function readingRoutes(app: App, { db }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/now/status',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read the status of one payment',
        querystring: PaymentStatusQuery,
        response: { 200: Invoice, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const payment = await withUser(db, request.user.id, (tx) => findPayment(tx, request.query.payment_id));
      return payment === null ? sendProblem(reply, unknown) : toInvoice(payment, true);
    },
  );
  app.get(
    '/api/billing/payments',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'List your payments, newest first',
        querystring: PaymentsQuery,
        response: { 200: PaymentsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async (request) => ({
      payments: await withUser(db, request.user.id, (tx) => readPayments(tx, request.query.limit)),
    }),
  );
  app.get(
    '/api/billing/payments/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read one payment with its events',
        params: PaymentId,
        response: { 200: PaymentDetailResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const match = await withUser(db, request.user.id, async (tx) => {
        const payment = await readPayment(tx, request.params.id);
        return payment === null ? null : { payment, events: await readEvents(tx, payment) };
      });
      return match ?? sendProblem(reply, unknown);
    },
  );
}

function latestRoutes(app: App, { db }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/payments/latest',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read your latest payment, or your latest pending one',
        querystring: LatestPaymentQuery,
        response: { 200: LatestPaymentResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async (request) => {
      const { hours, status } = request.query;
      const pendingHours = hours ?? (status === undefined ? undefined : PENDING_PAYMENT_HOURS);
      return { payment: await withUser(db, request.user.id, (tx) => readLatest(tx, pendingHours)) };
    },
  );
}

function methodRoutes(app: App, { db, payments }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/methods',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'List payment methods with network, minimum and your last use',
        response: { 200: MethodsResponse, ...signedIn },
      },
    },
    async (request) => {
      const lastUses = await withUser(db, request.user.id, readLastUses);
      return { methods: await listMethods(payments, lastUses) };
    },
  );
  app.get(
    '/api/billing/now/estimate',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Quote a purchase in coins, with the provider’s minimum',
        querystring: EstimateQuery,
        response: {
          200: EstimateResponse,
          ...signedIn,
          ...problems('validation_failed', 'payment_provider_unavailable', 'payments_unavailable'),
          422: PaymentProblem,
        },
      },
    },
    async (request, reply) => {
      const { coins } = payments;
      if (coins === undefined) return reject(reply, 'payments_unavailable');
      const { amount, currency } = request.query;
      const method = methodOf(currency);
      const [estimate, minimum] = await Promise.all([coins.estimate(method, amount), coins.minimumUsd(method)]);
      if (!estimate.ok) {
        const { rejection, providerDetail } = failureOf(estimate.error);
        return sendProblem(reply, rejection, { provider_detail: providerDetail });
      }
      const minimumUsd = minimumOf(minimum);
      return {
        amount,
        pay_amount: estimate.value,
        pay_currency: coinFacts[method].payCurrency,
        minimum_usd: minimumUsd,
        is_below_minimum: amount < minimumUsd,
      };
    },
  );
}

function cardRoute(app: App, { db, payments }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/moonpay/url',
    {
      onRequest: rejectDemoPayment,
      schema: {
        access: 'session',
        tags,
        summary: 'Create a signed URL of the card widget',
        description:
          'Opens an order, or returns the open one. Only the provider’s notification adds credits, never ' +
          'the return URL. Without keys it is the sandbox, for 100 USD, without credits.',
        querystring: CardUrlQuery,
        response: {
          200: CardUrlResponse,
          ...signedIn,
          ...problems('validation_failed', 'rate_limited', 'origin_refused'),
        },
      },
    },
    async (request, reply) => {
      const { cards, cardSandboxUrl, baseUrl } = payments;
      // This GET opens an order, so a link on another site must not trigger it.
      if (isFromForeignSite(request)) return reject(reply, 'origin_refused');
      if (cards === undefined) {
        const { origin } = new URL(cardSandboxUrl);
        return {
          url: cardSandboxUrl,
          origin,
          order_id: null,
          payment_id: null,
          amount: CARD_SANDBOX_AMOUNT,
          is_configured: false,
          is_sandbox: true,
        };
      }
      const order = await openCardOrder(db, request.user.id, request.query.amount);
      const url = cards.widgetUrl({
        orderId: order.orderId,
        amountUsd: order.amount,
        returnUrl: `${baseUrl}/?tab=funds`,
        customerId: order.customerId,
      });
      const { origin } = new URL(url);
      return {
        url,
        origin,
        order_id: order.orderId,
        payment_id: order.paymentId,
        amount: order.amount,
        is_configured: true,
        is_sandbox: cards.isSandbox,
      };
    },
  );
}
