export interface Span {
  /** 32 and 16 hexadecimal digits. */
  traceId: string;
  spanId: string;
  /** Undefined for the first span of a trace. */
  parentSpanId: string | undefined;
  name: string;
  /** SpanKind of OTLP: 1 internal, 2 server, 3 client. */
  kind: 1 | 2 | 3;
  /** Epoch ms. */
  startedAtMs: number;
  durationMs: number;
  attributes: Record<string, string | number>;
  isFailed: boolean;
}

export interface SpanExporterOptions {
  /** Base URL of the collector, such as http://127.0.0.1:4318; spans go to its path /v1/traces. */
  endpoint: string;
  headers: Record<string, string>;
  /** Attributes of the node: version, role, name. */
  resource: Record<string, string>;
  /** Called when the collector does not take spans, once until it does again. */
  onError: (error: Error) => void;
  flushMs?: number;
}

export interface SpanExporter {
  add: (span: Span) => void;
  droppedCount: () => number;
  close: () => Promise<void>;
}

/** Spans that may wait: a collector that is away must not fill the memory. */
const queueMax = 2048;
const batchMax = 512;
const deadlineMs = 10_000;
const goodbyeMs = 2000;

const valueOf = (value: string | number) =>
  typeof value === 'string' ? { stringValue: value } : { intValue: String(value) };
const attributesOf = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }));

/** Nanoseconds as text: they exceed 2^53. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const statusError = 2;

/** The body of one request in the JSON encoding of OTLP 1.x. */
export function traceBody(spans: readonly Span[], resource: Record<string, string>): object {
  const scopeSpans = [
    {
      scope: { name: 'sextant' },
      spans: spans.map(({ parentSpanId, startedAtMs, durationMs, attributes, isFailed, ...span }) => ({
        ...span,
        parentSpanId: parentSpanId ?? '',
        startTimeUnixNano: nanoseconds(startedAtMs),
        endTimeUnixNano: nanoseconds(startedAtMs + durationMs),
        attributes: attributesOf(attributes),
        status: isFailed ? { code: statusError } : {},
      })),
    },
  ];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

/** Sends spans in batches. Nothing waits for it: a batch that fails is dropped and counted. */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { endpoint, headers, resource, onError, flushMs = 5000 } = options;
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const queue: Span[] = [];
  let dropped = 0;
  let isBroken = false;
  let sending: Promise<void> = Promise.resolve();

  async function send(batch: readonly Span[], signal: AbortSignal): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(traceBody(batch, resource)),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector responds with HTTP ${response.status}`);
      isBroken = false;
    } catch (error) {
      dropped += batch.length;
      // The client's message is only "fetch failed"; its cause says why. Neither has the headers.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      if (!isBroken)
        onError(new Error(`spans were not delivered: ${cause instanceof Error ? cause.message : 'failed'}`));
      isBroken = true;
    }
  }

  function flush(signal: () => AbortSignal): Promise<void> {
    sending = sending.then(async () => {
      while (queue.length > 0 && !signal().aborted) await send(queue.splice(0, batchMax), signal());
    });
    return sending;
  }

  let isFlushing = false;
  const flushSoon = (): void => {
    if (isFlushing || queue.length === 0) return;
    isFlushing = true;
    void flush(() => AbortSignal.timeout(deadlineMs)).finally(() => (isFlushing = false));
  };
  const timer = setInterval(flushSoon, flushMs).unref();
  return {
    add(span) {
      if (queue.length >= queueMax) {
        dropped += 1;
        return;
      }
      queue.push(span);
      if (queue.length >= batchMax) flushSoon();
    },
    droppedCount: () => dropped,
    async close() {
      clearInterval(timer);
      const deadline = AbortSignal.timeout(goodbyeMs);
      const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }));
      await Promise.race([flush(() => deadline), late]);
    },
  };
}
