import type { FastifyReply, FastifyRequest } from 'fastify';
import { withSystem } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { NoticeResponse } from './contract.ts';
import type { PaymentProvider } from './port.ts';
import { applyReport } from './record.ts';
import type { PaymentRoutesDeps } from './routes.ts';

/** Real notifications have one or two KiB. */
export const NOTICE_BYTES_MAX = 64 * 1024;

const responses = {
  200: NoticeResponse,
  ...problems(
    'validation_failed',
    'signature_invalid',
    'origin_refused',
    'not_found',
    'payload_too_large',
    'unsupported_media_type',
    'database_unavailable',
  ),
};

/** Notification routes for providers. Signatures cover the body, so it is read as bytes; it is never logged. */
export function paymentNoticeRoutes(app: App, { db, payments }: PaymentRoutesDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(rejectionError('unsupported_media_type')));

  async function take(provider: PaymentProvider | undefined, request: FastifyRequest, reply: FastifyReply) {
    if (provider === undefined)
      return sendProblem(reply, { code: 'not_found', message: 'This payment provider is not enabled.' });
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const read = provider.readNotification({ body, headers: request.headers });
    if (!read.ok) {
      request.log.warn(
        { provider: provider.name, reason: read.error.reason, bytes: body.length },
        'a payment notification was rejected',
      );
      return sendProblem(reply, {
        code: read.error.reason === 'forged' ? 'signature_invalid' : 'validation_failed',
        message: read.error.message,
      });
    }
    const applied = await withSystem(db, (tx) => applyReport(tx, read.value));
    if (applied === 'unknown_order') {
      request.log.warn(
        { provider: provider.name, transferId: read.value.transferId },
        'a payment notification names an unknown order',
      );
      return sendProblem(reply, { code: 'not_found', message: 'Order not found.' });
    }
    return { ok: true } as const;
  }

  app.post(
    '/api/billing/now/ipn',
    {
      bodyLimit: NOTICE_BYTES_MAX,
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Payments'],
        summary: 'Receive a signed NOWPayments notification',
        response: responses,
      },
    },
    (request, reply) => take(payments.coins, request, reply),
  );
  app.post(
    '/api/billing/moonpay/webhook',
    {
      bodyLimit: NOTICE_BYTES_MAX,
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Payments'],
        summary: 'Receive a signed MoonPay notification',
        response: responses,
      },
    },
    (request, reply) => take(payments.cards, request, reply),
  );
}
