import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { LogController, type onResponseHookHandler } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { cardWidgetOriginOf, type Config } from '../../config.ts';
import { apiErrors, type Refusal } from '../errors.ts';
import type { App } from './app.ts';
import { boundConnections } from './boundConnections.ts';
import { handleError } from './errorHandler.ts';
import { problemBody, problemMediaType } from './problemBody.ts';
import { refuseBadText } from './wellFormedText.ts';
import { securityHeadersOf } from './securityHeaders.ts';

const mebibyte = 1024 * 1024;
const second = 1000;

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
  ...(error.code === undefined ? {} : { code: error.code }),
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
function logAnswers(app: App): onResponseHookHandler {
  const log = app.log.child({}, { redact: [] });
  return (request, reply, done) => {
    const [path] = request.url.split('?', 1);
    const { statusCode, elapsedTime } = reply;
    log.info({ reqId: request.id, method: request.method, path, statusCode, responseTime: elapsedTime }, 'answered');
    done();
  };
}

/** Fastify with our limits, headers and error form, and no route yet. */
export async function createServer(config: Config): Promise<App> {
  const isHttps = config.publicUrl?.startsWith('https:') === true;
  const securityHeaders = await securityHeadersOf(isHttps, [cardWidgetOriginOf(config)]);
  const app: App = Fastify({
    logger: {
      level: config.logLevel,
      redact: { paths: redact, censor: '[hidden]' },
      serializers: { err: describeError },
    },
    // One line for each answer instead of one when it is asked and one when it is given (logAnswers).
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: mebibyte,
    requestTimeout: 30 * second,
    keepAliveTimeout: 72 * second,
    connectionTimeout: stalledMs,
    // Requests that are under way are answered while we close; new ones meet a closed port.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node swaps the two timeouts when headersTimeout is the larger, so it is set together with requestTimeout.
    http: { headersTimeout: 10 * second, connectionsCheckingInterval: second },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a URL that cannot be read.
      void reply.headers(securityHeaders);
      handleError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<ZodTypeProvider>();
  app.server.headersTimeout = 10 * second;
  boundConnections(app.server, {
    perNetworkMax: config.trustProxy === false ? connectionsPerNetworkMax : undefined,
    silentMs: 10 * second,
  });
  // Fastify reads text by itself; a text is never what we asked for, so it is refused like any other type.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeaders).header('x-request-id', request.id);
    done();
  });
  app.addHook('preValidation', refuseBadText);
  app.addHook('onResponse', logAnswers(app));
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Most answers are about one person or one moment: a route that means otherwise says so.
    const isApi = request.url.startsWith('/api/');
    if (isApi && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    done();
  });
  return app;
}
