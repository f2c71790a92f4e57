import { withoutUndefined } from '@sextant/workers/src/withoutUndefined.ts';
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
import { apiErrors, type Refusal } from '../errors.ts';
import type { App } from './app.ts';
import { handleError, readReason } from './errorHandler.ts';
import { securityHeadersOf } from './securityHeaders.ts';
import { keepForwardedAddresses } from './forwardedFor.ts';
import { readErrorCodes } from './problem.ts';
import { problemBody, problemMediaType } from './problemBody.ts';
import { refuseBadText } from './badText.ts';
import { createJsonParser } from './jsonBody.ts';
import { clientKey } from '../limits/clientKey.ts';

const kibibyte = 1024;
const second = 1000;

/**
 * Largest body of a route. The sender of a public route, and of a path that does not exist, is unknown when the body is parsed: it may
 * cost a few milliseconds at most. A route that needs more, or less, says so.
 */
export const bodyBytesMax = { public: 16 * kibibyte, known: 1024 * kibibyte } as const;

/** Seconds in which the headers of a request, and all of it, must have arrived. */
export const requestTimesS = { headers: 10, whole: 30 } as const;

/**
 * A connection on which nothing moves for so long is cut, in the middle of an answer too: a client that never reads would keep
 * the answer in our memory for ever. A slow one that takes a little now and then stays. Longer than any work may take.
 */
const stalledMs = 60 * second;

/** A page opens six at most; a large office behind one address fits. */
const connectionsPerNetworkMax = 500;

/** Names of fields that must never reach a log, wherever they are. */
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

/** Only what explains a failure: drivers hang whole connections on their errors, with all that was in them. */
const describeError = (error: Error & { code?: unknown }) => ({
  type: error.name,
  message: error.message,
  stack: error.stack ?? '',
  ...withoutUndefined({ code: error.code }),
  ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
});

/** A request so broken that there is no request object: answered on the socket, in the same form as everything else. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal: Refusal = isSlow
    ? { code: 'request_timeout', message: apiErrors.request_timeout.title }
    : { code: 'validation_failed', message: 'The request is not valid HTTP.' };
  const body = JSON.stringify(problemBody(refusal, randomUUID()));
  socket.end(
    `HTTP/1.1 ${isSlow ? '408 Request Timeout' : '400 Bad Request'}\r\ncontent-type: ${problemMediaType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * What was asked, what it became and how long it took, in milliseconds. Without the query, which may hold the token of a link; so
 * it holds no secrets and needs no redaction.
 */
function logAnswers(app: App, level: Config['logLevel']): onResponseHookHandler {
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
    const answer = { reqId: request.id, method: request.method, path, statusCode, responseTime: elapsedTime };
    if (reason === undefined) log.info(answer, 'answered');
    else log[statusCode >= 500 ? 'warn' : 'info']({ ...answer, ...reason }, 'answered');
    done();
  };
}

const logMethods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const;

/**
 * The log of one request, made when something is written to it: hardly any request writes, and making one with our redaction takes
 * more processor time than any other step of an answer from memory.
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
  throw new Error('Fastify asked for a compiler of schemas although it has those of zod');
};

/** Fastify with our limits, headers and error form, and no route yet. @param newRequestId also stands in bodies of refusals */
export function createServer(config: Config, newRequestId: () => string = randomUUID): App {
  const isHttps = config.publicUrl?.startsWith('https:') === true;
  const securityHeaders = securityHeadersOf(isHttps, cardWidgetOriginsOf(config));
  const app: App = Fastify({
    logger: {
      level: config.logLevel,
      redact: { paths: redact, censor: '[hidden]' },
      serializers: { err: describeError },
    },
    // One line for each answer instead of one when it is asked and one when it is given (logAnswers).
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: createRequestLog,
    genReqId: () => newRequestId(),
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    // Without these Fastify loads its own validator and serializer, a tenth of a second of each start, and uses neither.
    schemaController: { compilersFactory: { buildValidator: useOurs, buildSerializer: useOurs } },
    bodyLimit: bodyBytesMax.public,
    requestTimeout: requestTimesS.whole * second,
    keepAliveTimeout: 72 * second,
    connectionTimeout: stalledMs,
    // Requests that are under way are answered while we close; new ones meet a closed port.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node swaps the two timeouts when headersTimeout is the larger, so it is set together with requestTimeout.
    http: { headersTimeout: requestTimesS.headers * second, connectionsCheckingInterval: second },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a URL that cannot be read.
      void reply.headers(securityHeaders);
      handleError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<ZodTypeProvider>();
  app.server.headersTimeout = requestTimesS.headers * second;
  boundConnections(app.server, {
    perNetworkMax: config.trustProxy === false ? connectionsPerNetworkMax : undefined,
    silentMs: 10 * second,
  });
  readErrorCodes(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Fastify reads text by itself; a text is never what we asked for, so it is refused like any other type.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, createJsonParser(app));
  app.addHook('onRoute', (route) => {
    const access = route.schema?.access ?? 'public';
    // `requireUser` runs before the body is read.
    if (access !== 'public') route.bodyLimit ??= bodyBytesMax.known;
    // A misspelt name would leave the default in its place without a word.
    const query = route.schema?.querystring;
    if (route.schema !== undefined && query instanceof z.ZodObject && query.def.catchall === undefined)
      route.schema.querystring = query.strict();
  });
  app.setErrorHandler(handleError);
  // Most answers of the API are about one user or one moment; a route overrides this where they are not.
  const apiHeaders = { ...securityHeaders, 'cache-control': 'no-store' };
  if (config.trustProxy !== false) app.addHook('onRequest', keepForwardedAddresses);
  app.addHook('onRequest', (request, reply, done) => {
    const isApi = request.url.startsWith('/api/');
    void reply.headers(isApi ? apiHeaders : securityHeaders).header('x-request-id', request.id);
    done();
  });
  app.addHook('preValidation', refuseBadText);
  app.addHook('onResponse', logAnswers(app, config.logLevel));
  return app;
}

interface ConnectionRules {
  /** Connections of one network at once; undefined behind a proxy, from which all of them come. */
  perNetworkMax: number | undefined;
  /** How long a connection may stay open without a first request. */
  silentMs: number;
}

/**
 * Cuts connections that never ask for anything, and those of a network that has too many. Node's own timeouts begin with the first
 * byte of a request or end a minute later.
 */
export function boundConnections(server: Server, { perNetworkMax, silentMs }: ConnectionRules): void {
  const countOf = new Map<string, number>();
  const silent = new Map<Socket, NodeJS.Timeout>();
  const hear = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    // Also when Node's own listener is gone, e.g. after an upgrade: a reset must not become an uncaught exception.
    socket.on('error', () => undefined);
    const key = clientKey(socket.remoteAddress ?? '');
    const count = (countOf.get(key) ?? 0) + 1;
    countOf.set(key, count);
    silent.set(
      socket,
      setTimeout(() => socket.destroy(), silentMs),
    );
    socket.once('close', () => {
      hear(socket);
      const left = (countOf.get(key) ?? 1) - 1;
      if (left === 0) countOf.delete(key);
      else countOf.set(key, left);
    });
    if (perNetworkMax !== undefined && count > perNetworkMax) socket.destroy();
  });
  server.on('request', (request) => hear(request.socket));
  // Node emits no `request` event for WebSockets: their router reports them.
  server.on('heard', hear);
}
