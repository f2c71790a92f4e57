import type { FastifyRequest } from 'fastify';
import { RefusalError } from '../../platform/http/refusalError.ts';
import { demoEmail } from '../auth/demoAccount.ts';

/**
 * Everyone who enters the demo shares one account: a target there would send one visitor's messages to another, and its signing key
 * would be everyone's. The demo account therefore sends nothing and changes no target.
 */
export function refuseDemo(request: FastifyRequest): Promise<void> {
  if (safeMethods.has(request.method) || request.user.email !== demoEmail) return Promise.resolve();
  return Promise.reject(new RefusalError({ code: 'forbidden', message: demoRefusal }));
}
const safeMethods = new Set(['GET', 'HEAD']);
const demoRefusal =
  'The demo account is shared and sends no messages outside. Make an account to use Telegram or a webhook.';
