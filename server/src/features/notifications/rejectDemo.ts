import type { FastifyRequest } from 'fastify';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';

/** Anyone may open a demo account without identification, so it sends nothing to external targets and changes none. */
export function rejectDemo(request: FastifyRequest): Promise<void> {
  if (safeMethods.has(request.method) || !isDemoEmail(request.user.email)) return Promise.resolve();
  return Promise.reject(new RejectionError({ code: 'forbidden', message: demoRejection }));
}
const safeMethods = new Set(['GET', 'HEAD']);
const demoRejection = 'Demo accounts send no messages. Create an account to use Telegram or webhooks.';
