import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** The Fastify instance on which features register: bodies, queries and responses are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A feature adds its routes. Each gets an encapsulated scope, so its hooks affect only its own routes. */
export type Feature<NeededDeps> = (app: App, deps: NeededDeps) => void | Promise<void>;
