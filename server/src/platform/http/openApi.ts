import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import Fastify, { type FastifySchema, type RouteOptions } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { apiErrors } from '../errors.ts';
import { once } from '../once.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The public API document; created at the first call. */
    openApiDocument: () => Promise<Record<string, unknown>>;
  }
}

const path = '/api/openapi.json';

const tags = [
  { name: 'Service', description: 'Features and health of this installation.' },
  { name: 'Account', description: 'Sign-up, sign-in, sign-out and your settings.' },
  {
    name: 'Market',
    description: 'Symbols, prices, closed candles, funding and indicators. Simulated unless `market` says live.',
  },
  {
    name: 'Signals',
    description: 'The live ensemble, scans, tuning and the public record of the outcome of every signal.',
  },
  {
    name: 'Credits',
    description: 'Balance and ledger of paid work. Ledger entries never change.',
  },
  {
    name: 'Payments',
    description: 'Buy credits with coins or a card. Each payment is credited once.',
  },
  { name: 'Webhooks', description: 'Signed messages to your programs, with deliveries.' },
  { name: 'Notifications', description: 'Messages to your Telegram chat, webhook or browsers.' },
  { name: 'Alerts', description: 'Conditions on prices, indicators, signals and news, with receipts of each firing.' },
  { name: 'API access', description: 'Keys, plans with their hourly limits, and the log of calls with your keys.' },
  { name: 'Documentation', description: 'API documentation and client collections.' },
  {
    name: 'Events',
    description: 'One stream of changes, instead of polling.',
  },
  {
    name: 'Orders',
    description: 'Simulated orders: placed, resting, changed, cancelled; filled by the rules of the lab.',
  },
  { name: 'Positions', description: 'Simulated positions: opened by rule or by hand, watched by the server.' },
  {
    name: 'Arbitrage',
    description: 'Spreads between exchanges after fees and depth, their duration, and watches.',
  },
  {
    name: 'News',
    description:
      'Stories and posts grouped by event, with the measured reaction of prices and the record of each source.',
  },
  { name: 'Vision', description: 'Chart pictures: market, patterns, direction and levels.' },
  { name: 'Help', description: 'Help articles and the assistant.' },
  { name: 'Backtest', description: 'Backtests on the same engine as the browser, bit for bit.' },
];

/**
 * Gives each exported schema its export name as id, so that the document defines it once, under `components`.
 * @param modules exports of the contract modules
 * @throws when two different schemas are exported under one name
 */
export function nameSchemas(modules: readonly Record<string, unknown>[]): void {
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodType)) continue;
    const id = name.replace(/Wire$/, '');
    const named = namedSchemas.get(id);
    if (named === schema) continue;
    if (named !== undefined) throw new Error(`two schemas of the API document are called ${id}`);
    namedSchemas.set(id, schema);
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
}
const namedSchemas = new Map<string, z.ZodType>();

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = Record<string, Json>;
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies a document, replacing each object for which `replace` returns a value. */
function rewrite(value: Json, replace: (object: JsonObject) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, replace));
  if (!isObject(value)) return value;
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, replace)]));
}

const schemaPath = '#/components/schemas/';
const refsOf = (value: Json): string[] => {
  const refs: string[] = [];
  rewrite(value, (object) => {
    if (typeof object.$ref === 'string') refs.push(object.$ref);
    return undefined;
  });
  return refs;
};

/** Replaces references to a schema's request form by its response form where the two are equal. */
function mergeForms(document: JsonObject): JsonObject {
  const components = document.components as { schemas: JsonObject };
  const { schemas } = components;
  const same = Object.keys(schemas).filter(
    (name) => name.endsWith('Input') && JSON.stringify(schemas[name]) === JSON.stringify(schemas[name.slice(0, -5)]),
  );
  if (same.length === 0) return document;
  const stored = Object.fromEntries(Object.entries(schemas).filter(([name]) => !same.includes(name)));
  const gone = new Set(same.map((name) => schemaPath + name));
  const merged = rewrite({ ...document, components: { ...components, schemas: stored } }, ({ $ref, ...rest }) =>
    typeof $ref === 'string' && gone.has($ref) ? { ...rest, $ref: $ref.slice(0, -5) } : undefined,
  );
  // Schemas that refer to the merged ones may be equal now.
  return mergeForms(merged as JsonObject);
}

/** Names of the schemas that the paths use, directly or through another schema. */
function usedSchemas(document: JsonObject, schemas: JsonObject): Set<string> {
  const used = new Set<string>();
  const follow = (value: Json): void => {
    for (const ref of refsOf(value)) {
      const name = ref.slice(schemaPath.length);
      if (!ref.startsWith(schemaPath) || used.has(name)) continue;
      used.add(name);
      follow(schemas[name] ?? null);
    }
  };
  follow(document.paths ?? null);
  follow((document.components as JsonObject).responses ?? null);
  return used;
}

/** Moves error responses to `components`, one per status, and makes the operations refer to them. */
function shareProblems(document: JsonObject): JsonObject {
  const responses: JsonObject = {};
  const paths = Object.entries(document.paths as JsonObject).map(([path, operations]): [string, Json] => [
    path,
    Object.fromEntries(
      Object.entries(operations as JsonObject).map(([method, operation]): [string, Json] => {
        const shared = Object.entries((operation as { responses: JsonObject }).responses).map(
          ([status, response]): [string, Json] => {
            if (Number(status) < 400 || refsOf(response).join() !== `${schemaPath}Problem`) return [status, response];
            responses[`Problem${status}`] = response;
            return [status, { $ref: `#/components/responses/Problem${status}` }];
          },
        );
        return [method, { ...(operation as JsonObject), responses: Object.fromEntries(shared) }];
      }),
    ),
  ]);
  const components = { ...(document.components as JsonObject), responses };
  return { ...document, components, paths: Object.fromEntries(paths) };
}

/** Defines each schema and error response once and drops unused schemas. */
function compact(document: JsonObject): JsonObject {
  const merged = mergeForms(shareProblems(document));
  const components = merged.components as JsonObject;
  const schemas = components.schemas as JsonObject;
  const used = usedSchemas(merged, schemas);
  const retained = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...merged, components: { ...components, schemas: Object.fromEntries(retained) } };
}

/** The document lists queries and path parameters field by field: a copy without an id is inlined instead of referenced. */
function withFieldsWrittenOut<Schema extends object | undefined>(schema: Schema): Schema {
  if (schema === undefined) return schema;
  const { querystring, params } = schema as { querystring?: z.ZodType; params?: z.ZodType };
  const copy = { ...schema } as Schema & { querystring?: z.ZodType; params?: z.ZodType };
  if (querystring !== undefined) copy.querystring = querystring.clone(querystring._zod.def);
  if (params !== undefined) copy.params = params.clone(params._zod.def);
  return copy;
}

/** The declared access of a route as OpenAPI security requirements. */
function withSecurity<Schema extends FastifySchema | undefined>(schema: Schema): Schema {
  const access = schema?.access;
  if (schema === undefined || access === undefined) return schema;
  const bySession = [{ bearer: [] }, { session: [] }];
  if (access === 'public') return { ...schema, security: [] };
  if (access === 'session') return { ...schema, security: bySession };
  return { ...schema, security: [{ apiKey: access === 'any_key' ? [] : [access] }, ...bySession] };
}

/** Adds the sandbox rule of a route and its error codes by status as extensions of its operation. */
function withExtensions<Schema extends FastifySchema | undefined>(schema: Schema): Schema {
  if (schema === undefined) return schema;
  const { sandbox, errorCodes = [], ...rest } = schema;
  const codes = Map.groupBy(errorCodes.toSorted(), (code) => apiErrors[code].status);
  // One text per status: lists would take up a tenth of the document.
  const names: [number, string][] = [...codes].map(([status, those]) => [status, those.join(', ')]);
  return {
    ...rest,
    ...(sandbox === undefined ? {} : { 'x-sandbox': typeof sandbox === 'string' ? sandbox : 'fixed' }),
    ...(codes.size === 0 ? {} : { 'x-error-codes': Object.fromEntries<string>(names) }),
  } as unknown as Schema;
}

/** A route as registered for the document. */
type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;
export type OpenApiDocument = Record<string, unknown>;

const information = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Sextant API',
    version,
    description:
      'Crypto futures market data, indicators and backtests. Errors are application/problem+json with a stable `code`; ' +
      '`x-error-codes` of each call lists its codes, by status. ' +
      'Times are epoch milliseconds or ISO 8601 in UTC; fractions are fractions (0.02 is 2 %) unless a name ends in `Pct`.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags,
  components: {
    securitySchemes: {
      bearer: { type: 'http' as const, scheme: 'bearer', description: 'The `token` of sign-in.' },
      session: {
        type: 'apiKey' as const,
        in: 'cookie' as const,
        name: 'sextant.session_token',
        description: 'Set by sign-in.',
      },
      apiKey: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-api-key',
        description:
          'Your API key. Each call states its scope. A test key (`sx_test_...`) uses the sandbox, as `x-sandbox` ' +
          'of each call says: `frozen` over a frozen market, `fixed` always the same, `same` as live, `none` rejected with `not_in_sandbox`.',
      },
    },
  },
});

/** Describes the routes on an app that never listens. Loads the generator at the first call. */
async function makeDocument(routes: readonly DescribedRoute[], version: string): Promise<OpenApiDocument> {
  const { default: swagger } = await import('@fastify/swagger');
  const described = Fastify();
  described.setValidatorCompiler(validatorCompiler);
  described.setSerializerCompiler(serializerCompiler);
  await described.register(swagger, {
    openapi: information(version),
    transform: (input) =>
      jsonSchemaTransform({ ...input, schema: withExtensions(withFieldsWrittenOut(withSecurity(input.schema))) }),
    transformObject: (input) =>
      compact(JSON.parse(JSON.stringify(jsonSchemaTransformObject(input))) as JsonObject) as ReturnType<
        typeof jsonSchemaTransformObject
      >,
  });
  for (const route of routes) described.route({ ...route, handler: () => undefined });
  await described.ready();
  const document = described.swagger() as unknown as OpenApiDocument;
  await described.close();
  return document;
}

/** The public API document, generated from the routes. Call before the first route; the returned function adds its own route. */
export function serveOpenApi(app: App, version: string): () => void {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    // Fastify adds HEAD to each GET.
    if (method !== 'HEAD') routes.push({ method, url, ...withoutUndefined({ schema }) });
  });
  app.decorate(
    'openApiDocument',
    once(() => makeDocument(routes, version)),
  );
  return () => {
    const text = once(async () => JSON.stringify(await app.openApiDocument()));
    app.get(path, { schema: { access: 'public', sandbox: 'same', hide: true } }, async (_request, reply) => {
      const document = await text();
      return reply.type('application/json').header('cache-control', 'public, max-age=300').send(document);
    });
  };
}
