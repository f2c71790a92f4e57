import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** The Fastify instance features register on: bodies, queries and answers are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A feature adds its routes. It gets its own encapsulated scope, so a hook it adds stays with it. */
export type Feature<NeededDeps> = (app: App, deps: NeededDeps) => void | Promise<void>;
