import type { ApiScope } from '@sextant/workers/src/core/apiAccess.ts';
import type { RouteOptions } from 'fastify';
import type { App } from '../http/app.ts';
import { addRejections } from '../http/problem.ts';

/**
 * Who may call a route. `public`: anyone; a session is ignored, but an API key that is sent is checked and counted. `session`: a
 * signed-in user, only with a session. `any_key`: a session, or an API key with any scopes. A scope: a session, or an API key
 * with that scope.
 */
export type Access = 'public' | 'session' | 'any_key' | ApiScope;

/**
 * The response to a call with a test key. `frozen`: from the same code over the frozen market. `same`: as for any other caller, because the
 * route depends on neither a market nor an account. `none`: the error `not_in_sandbox`. `answer`: this fixed response, the state of
 * an account without history.
 */
export type SandboxRule = 'frozen' | 'same' | 'none' | { answer: unknown };

declare module 'fastify' {
  interface FastifySchema {
    /** Required on each route that accepts keys; the sandbox (server/src/sandbox.ts) enforces it and the API document shows it. */
    sandbox?: SandboxRule;
    /** Required for each route under /api; `requireUser` enforces it and the API document shows it. */
    access?: Access;
  }
}

/**
 * Rejects an API route that does not declare its access and its sandbox rule, and documents the errors that follow from them.
 * Call before the first route.
 * @throws at registration, naming the route
 */
export function checkAccess(app: App): void {
  app.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    if (!url.startsWith('/api/')) return;
    const access = schema?.access;
    if (schema === undefined || access === undefined) {
      const choices = `'public', 'session', 'any_key' or a scope of workers/src/core/apiAccess.ts`;
      throw new Error(`${String(method)} ${url}: declare schema.access, ${choices}`);
    }
    if ((access === 'session') !== (schema.sandbox === undefined)) {
      const choices = `'frozen', 'same', 'none' or { answer }`;
      throw new Error(
        `${String(method)} ${url}: declare schema.sandbox, ${choices}, exactly when the route takes an API key`,
      );
    }
    addRejections(schema, 'not_authenticated', 'forbidden');
    if (access !== 'session') addRejections(schema, 'rate_limited');
    if (schema.sandbox === 'none') addRejections(schema, 'not_in_sandbox');
  });
}
