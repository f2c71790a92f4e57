import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { apiErrors } from '../errors.ts';
import { once } from '../once.ts';
import { isApiPath } from './apiPath.ts';
import type { App } from './app.ts';
import { sendProblem } from './problem.ts';

interface KnownPath {
  /** Created at the first request for an unknown path. */
  pattern: () => RegExp;
  methods: Set<string>;
}

const toPattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*$/, '.*')}$`,
  );

/** Collects the paths of the API. Call before the first route is added. */
export function watchRoutes(app: App): Map<string, KnownPath> {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    if (!isApiPath(url)) return;
    const path = paths.get(url) ?? { pattern: once(() => toPattern(url)), methods: new Set<string>() };
    for (const name of [method].flat()) path.methods.add(name);
    paths.set(url, path);
  });
  return paths;
}

/** All API calls as `GET /api/health`, for tests that check each one. */
export function listRoutes(paths: Map<string, KnownPath>): string[] {
  const implied = new Set(['HEAD', 'OPTIONS']);
  const routes = [...paths].flatMap(([url, { methods }]) => [...methods].map((method) => ({ url, method })));
  return routes.filter(({ method }) => !implied.has(method)).map(({ url, method }) => `${method} ${url}`);
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/** Whether this is a page, not a file, an API call or a probe: a read outside the API whose path has no dot, except a final `.html`. */
export function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isFile = path.replace(/\.html$/i, '').includes('.');
  return isRead && !isFile && !/^\/(api|api-documentation|assets|livez|readyz|healthz|metrics)(\/|$)/i.test(path);
}

/** Returns 405 with the existing methods, or 404. A page that does not exist gets `leadHome` when a built web exists. */
export function notFoundHandler(paths: Map<string, KnownPath>, leadHome?: (reply: FastifyReply) => FastifyReply) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (leadHome !== undefined && isPageRequest(request)) return leadHome(reply);
    const path = pathOf(request);
    const known = isApiPath(path) ? [...paths.values()].filter(({ pattern }) => pattern().test(path)) : [];
    const allowed = [...new Set(known.flatMap(({ methods }) => [...methods]))].sort();
    if (allowed.length === 0) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
    // The route exists; a parameter is too long.
    if (allowed.includes(request.method))
      return sendProblem(reply, { code: 'validation_failed', message: 'A part of the URL is too long.' });
    void reply.header('allow', allowed.join(', '));
    return sendProblem(reply, { code: 'method_not_allowed', message: `Use ${allowed.join(' or ')} here.` });
  };
}
