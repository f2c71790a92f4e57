import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';
import { addObserver, type Operation } from '../observe.ts';
import { createSpanExporter, type Span, type SpanExporter, type SpanExporterOptions } from './spanExporter.ts';

export interface Tracing {
  /** Opens a span for each request; what the request does has it as parent. */
  watchRequests: onRequestHookHandler;
  /** Id of the trace in progress, for the log. */
  traceId: () => string | undefined;
  /** Spans that could not be delivered: the collector did not take them, or too many waited. */
  droppedCount: () => number;
  /** Sends the spans that wait, for at most 2 s. */
  close: () => Promise<void>;
}

export interface TracingOptions extends SpanExporterOptions {
  /** Share of the traces that is sent, 0 to 1. A trace is sent whole or not at all. */
  sampleFraction: number;
  /** 0 to 1; for tests. */
  random?: () => number;
}

interface Context {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const spanKinds = { request: 2, outside: 3, job: 1 } as const;
const newId = (byteCount: number): string => randomBytes(byteCount).toString('hex');

/** Spans that end once, with their place in the trace. */
function createSpans({ add }: Pick<SpanExporter, 'add'>, sampleFraction: number, random: () => number) {
  const contexts = new AsyncLocalStorage<Context>();
  return {
    contexts,
    /** Starts a span now, as a child of the one in progress. */
    start: (kind: Span['kind']) => {
      const parent = contexts.getStore();
      const context = {
        traceId: parent?.traceId ?? newId(16),
        spanId: newId(8),
        isSampled: parent?.isSampled ?? random() < sampleFraction,
      };
      const startedAtMs = Date.now();
      const startedMs = performance.now();
      return {
        context,
        end: (details: Pick<Span, 'name' | 'attributes' | 'isFailed'>): void => {
          if (!context.isSampled) return;
          const { traceId, spanId } = context;
          const durationMs = performance.now() - startedMs;
          add({ ...details, traceId, spanId, parentSpanId: parent?.spanId, kind, startedAtMs, durationMs });
        },
      };
    },
  };
}

const nameKeys = { job: 'messaging.destination.name', outside: 'peer.service' } as const;

/**
 * Spans of requests, jobs and outside calls, sent by OTLP over HTTP. Loaded only with OTEL_EXPORTER_OTLP_ENDPOINT. The header `traceparent`
 * of a request is not read: strangers could have their requests sampled.
 */
export function createTracing(options: TracingOptions): Tracing {
  const { sampleFraction, random = Math.random } = options;
  const exporter = createSpanExporter(options);
  const { contexts, start } = createSpans(exporter, sampleFraction, random);
  const removeObserver = addObserver(async <T>(operation: Operation<T>, work: () => Promise<T>) => {
    const { kind, name } = operation;
    const span = start(spanKinds[kind]);
    const finish = (isFailed: boolean, attributes: Span['attributes'] = {}): void =>
      span.end({ name: `${kind} ${name}`, isFailed, attributes: { [nameKeys[kind]]: name, ...attributes } });
    try {
      const result = await contexts.run(span.context, work);
      finish(operation.isFailure?.(result) === true);
      return result;
    } catch (error) {
      finish(operation.isExpected?.(error) !== true, { 'error.type': error instanceof Error ? error.name : 'thrown' });
      throw error;
    }
  });
  return {
    watchRequests(request, reply, done) {
      const span = start(spanKinds.request);
      const { url: route = 'none' } = request.routeOptions;
      reply.raw.once('close', () => {
        const { statusCode } = reply.raw;
        const attributes = {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': statusCode,
          'sextant.request_id': request.id,
        };
        span.end({ name: `${request.method} ${route}`, isFailed: statusCode >= 500, attributes });
      });
      contexts.run(span.context, done);
    },
    traceId: () => contexts.getStore()?.traceId,
    droppedCount: exporter.droppedCount,
    async close() {
      removeObserver();
      await exporter.close();
    },
  };
}
