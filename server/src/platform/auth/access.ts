import type { ApiScope } from '@sextant/workers/src/apiAccess.ts';
import type { RouteOptions } from 'fastify';
import type { App } from '../http/app.ts';
import { addRefusals } from '../http/problem.ts';

/**
 * Who may call a route. `public`: anyone; a session is ignored, an API key is judged and counted when it is sent. `session`: a signed-in user, with a session only. `any_key`: a
 * session, or an API key with any scopes. A scope: a session, or a key that has it.
 */
export type Access = 'public' | 'session' | 'any_key' | ApiScope;

/**
 * How a route answers a call with a test key. `frozen`: by the same code over the frozen market. `same`: as for everyone, because it is
 * neither of a market nor of an account. `none`: not at all, with `not_in_sandbox`. An answer: always this one, which is the state of
 * an account without a past.
 */
export type SandboxRule = 'frozen' | 'same' | 'none' | { answer: unknown };

declare module 'fastify' {
  interface FastifySchema {
    /** Required beside each access that takes a key; the sandbox (server/src/sandbox.ts) enforces it and the API document shows it. */
    sandbox?: SandboxRule;
    /** Required for each route under /api; `requireUser` enforces it and the API document shows it. */
    access?: Access;
  }
}

/**
 * Refuses a route of the API that does not declare its access and its place in the sandbox, and documents the refusals that follow from it. Call before the first
 * route.
 * @throws at registration, with the route
 */
export function checkAccess(app: App): void {
  app.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    if (!url.startsWith('/api/')) return;
    const access = schema?.access;
    if (schema === undefined || access === undefined) {
      const choices = `'public', 'session', 'any_key' or a scope of workers/src/apiAccess.ts`;
      throw new Error(`${String(method)} ${url}: declare schema.access, ${choices}`);
    }
    if ((access === 'session') !== (schema.sandbox === undefined)) {
      const choices = `'frozen', 'same', 'none' or { answer }`;
      throw new Error(
        `${String(method)} ${url}: declare schema.sandbox, ${choices}, exactly when the route takes an API key`,
      );
    }
    addRefusals(schema, 'not_authenticated', 'forbidden');
    if (access !== 'session') addRefusals(schema, 'rate_limited');
    if (schema.sandbox === 'none') addRefusals(schema, 'not_in_sandbox');
  });
}
