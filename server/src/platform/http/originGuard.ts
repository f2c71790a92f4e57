import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { rejectionError } from './rejectionError.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface OriginRule {
  /** The configured origin of the product; without it the request's own host is compared. */
  publicUrl: string | undefined;
  /** True when we listen on loopback only: then we accept no other host name, even if DNS resolves it to us. */
  isLoopbackOnly: boolean;
}

function isOwnOrigin(origin: string, request: FastifyRequest, rule: OriginRule): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, host, protocol } = new URL(origin);
  if (rule.publicUrl !== undefined) return new URL(origin).origin === rule.publicUrl;
  if (rule.isLoopbackOnly && !loopbackNames.has(hostname)) return false;
  return host === request.host.replace(/:(80|443)$/, '') && protocol === `${request.protocol}:`;
}

/** True when the browser reports that another site triggered the request. */
export function isFromForeignSite({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * Rejects a state-changing request that another site triggered in the browser. Browsers send the origin of such a request; a
 * cookie without an origin is rejected too, because its origin is unknown. Requests with a Bearer token or an API key pass, because
 * a browser never adds those automatically.
 */
export function originGuard(rule: OriginRule, cookieName: RegExp) {
  function isRejected(request: FastifyRequest): boolean {
    const { authorization, origin, cookie = '' } = request.headers;
    if (safeMethods.has(request.method) || request.headers['x-api-key'] !== undefined) return false;
    if (authorization !== undefined && /^Bearer \S/i.test(authorization)) return false;
    const site = request.headers['sec-fetch-site'];
    const isForeignOrigin = origin !== undefined && !isOwnOrigin(origin, request, rule);
    const isOriginMissing = origin === undefined && site === undefined && cookieName.test(cookie);
    return isFromForeignSite(request) || isForeignOrigin || isOriginMissing;
  }
  const hook: onRequestHookHandler = (request, _reply, done) => {
    if (isRejected(request)) done(rejectionError('origin_refused'));
    else done();
  };
  return hook;
}
