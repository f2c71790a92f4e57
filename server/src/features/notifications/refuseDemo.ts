import type { FastifyRequest } from 'fastify';
import { RefusalError } from '../../platform/http/refusalError.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';

/** Anyone may open a demo account without identification, so it sends nothing to external targets and changes none. */
export function refuseDemo(request: FastifyRequest): Promise<void> {
  if (safeMethods.has(request.method) || !isDemoEmail(request.user.email)) return Promise.resolve();
  return Promise.reject(new RefusalError({ code: 'forbidden', message: demoRefusal }));
}
const safeMethods = new Set(['GET', 'HEAD']);
const demoRefusal = 'Demo accounts send no messages. Create an account to use Telegram or webhooks.';
