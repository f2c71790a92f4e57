import { globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpPool } from '../../../src/platform/httpPool.ts';
import { observe } from '../../../src/platform/observe.ts';
import { createSpanExporter, type Span, traceBody } from '../../../src/platform/tracing/spanExporter.ts';
import { createTracing, type Tracing } from '../../../src/platform/tracing/tracing.ts';
import { createTestApp } from '../../support/createTestApp.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}
interface TraceBody {
  resourceSpans: {
    resource: { attributes: SentSpan['attributes'] };
    scopeSpans: { scope: { name: string }; spans: SentSpan[] }[];
  }[];
}

/** A collector that stores what it gets, and responds with `status`. */
async function startCollector(status = 200) {
  const bodies: TraceBody[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const state = { status };
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers });
      if (state.status === 200 && request.url === '/v1/traces') bodies.push(JSON.parse(body) as TraceBody);
      response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closers.push(() => {
    server.closeAllConnections();
    server.close();
    return Promise.resolve();
  });
  const spans = () =>
    bodies.flatMap((body) => body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? []));
  return { endpoint, requests, bodies, spans, state };
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const base = { headers: {}, resource: { 'service.name': 'sextant' }, onError: () => undefined, flushMs: 20 };
function open(endpoint: string, options: Partial<Parameters<typeof createTracing>[0]> = {}): Tracing {
  const tracing = createTracing({ ...base, endpoint, sampleFraction: 1, ...options });
  closers.push(tracing.close);
  return tracing;
}

const example: Span = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: undefined,
  name: 'GET /api/app',
  kind: 2,
  startedAtMs: 1_544_712_660_000,
  durationMs: 1000.25,
  attributes: { 'http.route': '/api/app', 'http.response.status_code': 503 },
  isFailed: true,
};

describe('spans', () => {
  it('NODE-074 have the JSON encoding of OTLP: hexadecimal ids, nanoseconds and integers as text', () => {
    // Written by hand from the protocol's definition.
    expect(traceBody([example], { 'service.name': 'sextant' })).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'sextant' } }] },
          scopeSpans: [
            {
              scope: { name: 'sextant' },
              spans: [
                {
                  traceId: '5b8efff798038103d269b633813fc60c',
                  spanId: 'eee19b7ec3c1b174',
                  parentSpanId: '',
                  name: 'GET /api/app',
                  kind: 2,
                  startTimeUnixNano: '1544712660000000000',
                  endTimeUnixNano: '1544712661000250000',
                  attributes: [
                    { key: 'http.route', value: { stringValue: '/api/app' } },
                    { key: 'http.response.status_code', value: { intValue: '503' } },
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('NODE-074 of a job have its outside calls as children, in one trace, and no URL', async () => {
    const collector = await startCollector();
    open(collector.endpoint, { headers: { authorization: 'Bearer x' } });
    const pool = createHttpPool('telegram', {});
    closers.push(pool.close);
    await observe({ kind: 'job', name: 'scan' }, async () => {
      const { body } = await pool.request(`${collector.endpoint}/bot123:secret/getMe`, { method: 'POST', body: '{}' });
      await body.dump();
    });
    await expect.poll(() => collector.spans().length).toBe(2);
    const [call, job] = collector.spans();
    expect([job?.name, job?.kind, job?.parentSpanId, job?.status]).toEqual(['job scan', 1, '', {}]);
    expect([call?.name, call?.kind, call?.parentSpanId]).toEqual(['outside telegram', 3, job?.spanId]);
    expect(call?.traceId).toBe(job?.traceId);
    expect(JSON.stringify(collector.bodies)).not.toContain('secret');
    const sent = collector.requests.find(({ path }) => path === 'POST /v1/traces');
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer x', 'content-type': 'application/json' });
  });

  it('NODE-074 of a request have its route, its status and the trace of the log', async () => {
    const collector = await startCollector();
    const tracing = open(collector.endpoint);
    const test = await createTestApp({ deps: { tracing } });
    closers.push(test.close);
    let seen: string | undefined;
    const health = test.deps.pingDatabase;
    test.deps.pingDatabase = () => {
      seen = tracing.traceId();
      return health();
    };
    await test.app.inject({
      url: '/api/health',
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    await test.app.inject({ url: '/nothing/here?token=secret' });
    const named = (name: string) => collector.spans().find((span) => span.name === name);
    await expect.poll(() => named('GET none')).toBeDefined();
    const span = named('GET /api/health');
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
    // Not the trace of a stranger.
    expect(span?.traceId).not.toBe('a'.repeat(32));
    expect(span?.traceId).toBe(seen);
    expect(span?.attributes).toContainEqual({ key: 'http.route', value: { stringValue: '/api/health' } });
    expect(JSON.stringify(collector.bodies)).not.toContain('secret');
    expect(tracing.traceId()).toBeUndefined();
  });

  it('NODE-074 are sampled by trace, whole or not at all', async () => {
    const collector = await startCollector();
    const draws = [0.6, 0.4];
    open(collector.endpoint, { sampleFraction: 0.5, random: () => draws.shift() ?? 1 });
    const trace = (name: string) =>
      observe({ kind: 'job', name }, () => observe({ kind: 'outside', name: 'x' }, () => Promise.resolve()));
    await trace('left out');
    await trace('sent');
    await expect.poll(() => collector.spans().map(({ name }) => name)).toEqual(['outside x', 'job sent']);
  });

  it('NODE-074 return the result and the error of the work; an expected error is no failure', async () => {
    const collector = await startCollector();
    open(collector.endpoint);
    expect(await observe({ kind: 'outside', name: 'a', isFailure: (n) => n === 7 }, () => Promise.resolve(7))).toBe(7);
    const bug = new TypeError('a bug');
    await expect(observe({ kind: 'job', name: 'b' }, () => Promise.reject(bug))).rejects.toBe(bug);
    const expected = { kind: 'job', name: 'c', isExpected: () => true } as const;
    await expect(observe(expected, () => Promise.reject(bug))).rejects.toBe(bug);
    await expect.poll(() => collector.spans().map(({ status }) => status.code)).toEqual([2, 2, undefined]);
  });
});

it('NODE-074 no code of tracing is loaded without an endpoint: it is imported as a type, or on demand', () => {
  const src = join(import.meta.dirname, '../../../src');
  const imports = globSync('**/*.ts', { cwd: src })
    .filter((path) => !path.startsWith('platform/tracing/'))
    .flatMap((path) => readFileSync(join(src, path), 'utf8').match(/^.*platform\/tracing\/.*$/gm) ?? []);
  expect(imports.length).toBeGreaterThan(1);
  for (const line of imports) expect(line).toMatch(/^import type |await import\(/);
});

describe('a collector that is away', () => {
  it('NODE-074 costs no work: spans are dropped and counted, and the error is reported once', async () => {
    const collector = await startCollector(503);
    const errors: string[] = [];
    const exporter = createSpanExporter({
      ...base,
      endpoint: collector.endpoint,
      onError: (error) => errors.push(error.message),
    });
    exporter.add(example);
    await expect.poll(() => exporter.droppedCount()).toBe(1);
    exporter.add(example);
    await expect.poll(() => exporter.droppedCount()).toBe(2);
    expect(errors).toEqual(['spans were not delivered: the collector responds with HTTP 503']);
    collector.state.status = 200;
    exporter.add(example);
    await expect.poll(() => collector.spans().length).toBe(1);
    collector.state.status = 503;
    exporter.add(example);
    await expect.poll(() => errors.length).toBe(2);
    await exporter.close();
  });

  it('NODE-074 that never responds fills no memory and does not hold a stop for longer than 2 s', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const exporter = createSpanExporter({ ...base, endpoint });
    for (let i = 0; i < 10_000; i += 1) exporter.add(example);
    expect(exporter.droppedCount()).toBeGreaterThan(10_000 - 3000);
    const closing = exporter.close();
    // The limit is far above the 2 s: it only ends a failed test.
    expect(await Promise.race([closing.then(() => 'closed'), pause(30_000, 'late', { ref: false })])).toBe('closed');
    server.closeAllConnections();
    server.close();
  });
});
