import { withUser } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import {
  PaymentAnalyticsResponse,
  PaymentId,
  ReceiptResponse,
  ReceiptPdf,
  ReceiptsResponse,
  ReceiptsCsv,
  ReceiptsCsvQuery,
  ReceiptsQuery,
} from './contract.ts';
import { readPaymentAnalytics } from './readAnalytics.ts';
import { receiptPdf } from './receiptPdf.ts';
import { readReceipt, readReceipts, readReceiptYears, toCsv } from './receipts.ts';
import type { PaymentRoutesDeps } from './routes.ts';

const tags = ['Payments'];
const signedIn = problems('not_authenticated', 'database_unavailable');

/** Routes of receipts and analytics of past payments. */
export function paymentRecordRoutes(app: App, deps: PaymentRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/billing/analytics',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read credits bought and used by month, and payment results by method',
        response: { 200: PaymentAnalyticsResponse, ...signedIn },
      },
    },
    (request) => withUser(deps.db, request.user.id, readPaymentAnalytics),
  );
  receiptRoutes(app, deps);
  oneReceiptRoutes(app, deps);
}

function receiptRoutes(app: App, { db, payments }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/receipts',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'List your receipts, newest first',
        description: 'Issued within seconds of a purchase or refund.',
        querystring: ReceiptsQuery,
        response: { 200: ReceiptsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({
        receipts: await readReceipts(tx, request.query.year),
        years: await readReceiptYears(tx),
        is_available: payments.seller !== undefined,
      })),
  );
  app.get(
    '/api/billing/receipts/csv',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Export the receipts of a year as CSV',
        querystring: ReceiptsCsvQuery,
        response: { 200: ReceiptsCsv, ...signedIn, ...problems('validation_failed') },
      },
    },
    async (request, reply) => {
      const { year } = request.query;
      const receipts = await withUser(db, request.user.id, (tx) => readReceipts(tx, year));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="sextant-receipts-${year}.csv"`)
        .send(toCsv(receipts));
    },
  );
}

function oneReceiptRoutes(app: App, { db }: PaymentRoutesDeps): void {
  app.get(
    '/api/billing/receipts/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'One receipt',
        params: PaymentId,
        response: { 200: ReceiptResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const receipt = await withUser(db, request.user.id, (tx) => readReceipt(tx, request.params.id));
      return receipt === null
        ? sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title })
        : { receipt };
    },
  );
  app.get(
    '/api/billing/receipts/:id/pdf',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Download a receipt as PDF',
        description: 'The file of a receipt never changes.',
        params: PaymentId,
        response: {
          200: { description: 'The receipt.', content: { 'application/pdf': { schema: ReceiptPdf } } },
          ...signedIn,
          ...problems('validation_failed', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const receipt = await withUser(db, request.user.id, (tx) => readReceipt(tx, request.params.id));
      if (receipt === null) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      const file = await receiptPdf(receipt);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="sextant-receipt-${receipt.number}.pdf"`)
        .send(file);
    },
  );
}
