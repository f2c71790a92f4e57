import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Server } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyServerOptions,
  LogController,
  type onResponseHookHandler,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cardWidgetOriginsOf, type Config } from '../../config.ts';
import { apiErrors, type Rejection } from '../errors.ts';
import type { App } from './app.ts';
import { handleError, readReason } from './errorHandler.ts';
import { securityHeadersOf } from './securityHeaders.ts';
import { keepForwardedAddresses } from './forwardedFor.ts';
import { readErrorCodes } from './problem.ts';
import { problemBody, problemMediaType } from './problemBody.ts';
import { rejectBadText } from './badText.ts';
import { createJsonParser } from './jsonBody.ts';
import { clientKey } from '../limits/clientKey.ts';

const kibibyte = 1024;
const second = 1000;

/**
 * Largest request body. On a public route or an unknown path the sender is anonymous when the body is parsed, so parsing may
 * cost only a few milliseconds. A route can override the limit.
 */
export const bodyBytesMax = { public: 16 * kibibyte, known: 1024 * kibibyte } as const;

/** Seconds within which the headers of a request, and the whole request, must arrive. */
export const requestTimesS = { headers: 10, whole: 30 } as const;

/**
 * A connection idle for this long is closed, even during a response: a client that never reads would hold the response in
 * memory for ever. A slow client that keeps reading stays connected. Longer than any request may take.
 */
const stalledMs = 60 * second;

/** A browser opens at most six; the limit suits a large office behind one IP address. */
const connectionsPerNetworkMax = 500;

/** Field names that are redacted at any depth of a log entry. */
const secrets = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'password',
  'token',
  'secret',
  'api_key',
  'signature',
];
const redact = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`, `*.*.*["${name}"]`]);

/** Only the fields that explain a failure: drivers attach whole connections, with all their data, to errors. */
const describeError = (error: Error & { code?: unknown }) => ({
  type: error.name,
  message: error.message,
  stack: error.stack ?? '',
  ...withoutUndefined({ code: error.code }),
  ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
});

/** Responds on the socket to a request so malformed that no request object exists, with the usual error body. */
function rejectBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const rejection: Rejection = isSlow
    ? { code: 'request_timeout', message: apiErrors.request_timeout.title }
    : { code: 'validation_failed', message: 'The request is not valid HTTP.' };
  const body = JSON.stringify(problemBody(rejection, randomUUID()));
  socket.end(
    `HTTP/1.1 ${isSlow ? '408 Request Timeout' : '400 Bad Request'}\r\ncontent-type: ${problemMediaType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Logs each response with its request and duration in milliseconds. Logs the path without the query, which may hold the token of a
 * link, so entries hold no secrets and need no redaction.
 */
function logResponses(app: App, level: Config['logLevel']): onResponseHookHandler {
  const log = app.log.child({}, { redact: [] });
  const isInfoWritten = level === 'debug' || level === 'info';
  return (request, reply, done) => {
    const reason = readReason(request);
    if (reason === undefined && !isInfoWritten) {
      done();
      return;
    }
    const [path] = request.url.split('?', 1);
    const { statusCode, elapsedTime } = reply;
    const response = { reqId: request.id, method: request.method, path, statusCode, responseTime: elapsedTime };
    if (reason === undefined) log.info(response, 'answered');
    else log[statusCode >= 500 ? 'warn' : 'info']({ ...response, ...reason }, 'answered');
    done();
  };
}

const logMethods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const;

/**
 * Creates a request's logger only when it writes: hardly any request writes, and a logger with redaction takes more processor time than any
 * other step of a response from memory.
 */
const createRequestLog: NonNullable<FastifyServerOptions['childLoggerFactory']> = (log, bindings, options) =>
  new RequestLog(() => log.child(bindings, options)) as unknown as FastifyBaseLogger;

class RequestLog {
  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | undefined;

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make;
  }

  write(method: (typeof logMethods)[number], given: unknown[]): unknown {
    const into = (this.#made ??= this.#make());
    return (into[method] as (...all: unknown[]) => unknown).apply(into, given);
  }
}
for (const method of logMethods) {
  Object.defineProperty(RequestLog.prototype, method, {
    value(this: RequestLog, ...given: unknown[]) {
      return this.write(method, given);
    },
  });
}

const useOurs = (): never => {
  throw new Error('Fastify requested a schema compiler although it has those of zod');
};

export interface LogDetails {
  /** In each line: version, role, node. */
  fields: Record<string, string>;
  /** Id of the trace in progress; undefined without one. */
  traceId?: (() => string | undefined) | undefined;
}

/** Options of pino: each line names the node, instead of only its host and process. */
const loggerOf = (level: Config['logLevel'], { fields, traceId }: LogDetails) => ({
  level,
  redact: { paths: redact, censor: '[hidden]' },
  serializers: { err: describeError },
  base: fields,
  ...withoutUndefined({ mixin: traceId && ((): object => withoutUndefined({ trace_id: traceId() })) }),
});

/** Fastify with our limits, headers and error format, without routes. @param newRequestId also used in error bodies */
export function createServer(
  config: Config,
  newRequestId: () => string = randomUUID,
  details: LogDetails = { fields: { role: config.role } },
): App {
  const isHttps = config.publicUrl?.startsWith('https:') === true;
  const securityHeaders = securityHeadersOf(isHttps, cardWidgetOriginsOf(config));
  const app: App = Fastify({
    logger: loggerOf(config.logLevel, details),
    // logResponses writes one line per response; Fastify would write one per request and one per response.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: createRequestLog,
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    // Otherwise Fastify loads its own validator and serializer, which costs a tenth of a second at each start, and uses neither.
    schemaController: { compilersFactory: { buildValidator: useOurs, buildSerializer: useOurs } },
    bodyLimit: bodyBytesMax.public,
    requestTimeout: requestTimesS.whole * second,
    keepAliveTimeout: 72 * second,
    connectionTimeout: stalledMs,
    // While closing, running requests get a response; new ones find a closed port.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node swaps the two timeouts when headersTimeout is larger, so set it together with requestTimeout.
    http: { headersTimeout: requestTimesS.headers * second, connectionsCheckingInterval: second },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for an unreadable URL.
      void reply.headers(securityHeaders);
      handleError(error, request, reply);
    },
    clientErrorHandler: rejectBrokenRequest,
  }).withTypeProvider<ZodTypeProvider>();
  app.server.headersTimeout = requestTimesS.headers * second;
  boundConnections(app.server, {
    perNetworkMax: config.trustProxy === false ? connectionsPerNetworkMax : undefined,
    silentMs: 10 * second,
  });
  readErrorCodes(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Fastify parses plain text by default; no route takes it, so reject it like any other type.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, createJsonParser(app));
  app.addHook('onRoute', (route) => {
    const access = route.schema?.access ?? 'public';
    // `requireUser` runs before the body is read.
    if (access !== 'public') route.bodyLimit ??= bodyBytesMax.known;
    // Otherwise a misspelt parameter would be ignored and its default used.
    const query = route.schema?.querystring;
    if (route.schema !== undefined && query instanceof z.ZodObject && query.def.catchall === undefined)
      route.schema.querystring = query.strict();
  });
  app.setErrorHandler(handleError);
  // Most API responses depend on a user or a moment; other routes override this.
  const apiHeaders = { ...securityHeaders, 'cache-control': 'no-store' };
  if (config.trustProxy !== false) app.addHook('onRequest', keepForwardedAddresses);
  app.addHook('onRequest', (request, reply, done) => {
    const isApi = request.url.startsWith('/api/');
    void reply.headers(isApi ? apiHeaders : securityHeaders).header('x-request-id', request.id);
    done();
  });
  app.addHook('preValidation', rejectBadText);
  app.addHook('onResponse', logResponses(app, config.logLevel));
  return app;
}

interface ConnectionRules {
  /** Concurrent connections per network; undefined behind a proxy, which is the source of all connections. */
  perNetworkMax: number | undefined;
  /** How long a connection may stay open before its first request. */
  silentMs: number;
}

/**
 * Closes connections that never send a request, and those of a network with too many. Node's own timeouts start with the first
 * byte of a request or end a minute later.
 */
export function boundConnections(server: Server, { perNetworkMax, silentMs }: ConnectionRules): void {
  const countOf = new Map<string, number>();
  const silent = new Map<Socket, NodeJS.Timeout>();
  const markActive = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    // Needed also after an upgrade, when Node's own listener is gone: a reset must not become an uncaught exception.
    socket.on('error', () => undefined);
    const key = clientKey(socket.remoteAddress ?? '');
    const count = (countOf.get(key) ?? 0) + 1;
    countOf.set(key, count);
    silent.set(
      socket,
      setTimeout(() => socket.destroy(), silentMs),
    );
    socket.once('close', () => {
      markActive(socket);
      const left = (countOf.get(key) ?? 1) - 1;
      if (left === 0) countOf.delete(key);
      else countOf.set(key, left);
    });
    if (perNetworkMax !== undefined && count > perNetworkMax) socket.destroy();
  });
  server.on('request', (request) => markActive(request.socket));
  // Node emits no `request` event for WebSockets: their router reports them.
  server.on('active', markActive);
}
