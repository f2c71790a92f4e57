import type { onResponseHookHandler } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { eventStreamType } from '../../../platform/events/eventStream.ts';
import { nodeName } from '../../../platform/jobs/leadership.ts';
import { addObserver, createTimer, type Operation, type OperationOutcome } from '../../../platform/observe.ts';
import {
  createDiskGauges,
  createIntegrityGauges,
  createNodeGauges,
  createStoredGauges,
  type Integrity,
  type MakeGauge,
  type NodeSources,
} from './gauges.ts';
import { readDiskSpace } from './diskSpace.ts';
import { readStoredFigures } from './storedFigures.ts';
import type { WatchFigures } from './watchFigures.ts';

export interface MetricsDeps extends NodeSources {
  db: Db;
  version: string;
  role: string;
  dataDir: string;
  /** Each rejects while the database does not respond. */
  integrity: {
    ledgerDifferences: () => number | undefined;
    doPaymentsDiffer: () => Promise<boolean>;
    hasUnexplained: () => Promise<boolean>;
    countUnpriced: () => Promise<number>;
    countSetAside: () => Promise<number>;
  };
}

export interface Metrics {
  /** Measures each response by method, route and status; not event streams, which last as long as their page. */
  watchResponses: onResponseHookHandler;
  /**
   * Also measures memory, event loop and garbage collection of the process, jobs and outside calls.
   * @param countConnections open connections of the port of the product; undefined without a port
   * @returns stops the measurement of jobs and calls
   */
  start: (countConnections?: () => Promise<number>) => () => void;
  /** Figures of the watch thread, which replace the last ones. */
  takeWatchFigures: (figures: WatchFigures) => void;
  /** All metrics in the text format of Prometheus. Those of the database are absent while it does not respond. */
  read: () => Promise<{ type: string; body: string }>;
}

/** Seconds. Most responses come from memory in milliseconds; a scan or a search may take seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const callBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const jobBuckets = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 900];
/** A scrape waits this long for the database: its other metrics are needed most while the database hangs. */
const databaseMsMax = 800;

/** The result, or undefined when it fails or takes too long. */
async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), databaseMsMax);
  try {
    return await Promise.race([work.catch(() => undefined), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function readIntegrity(integrity: MetricsDeps['integrity']): Promise<Integrity> {
  const [paymentsDiffer, hasUnexplained, unpricedPositions, setAsideJobs] = await Promise.all([
    soon(integrity.doPaymentsDiffer()),
    soon(integrity.hasUnexplained()),
    soon(integrity.countUnpriced()),
    soon(integrity.countSetAside()),
  ]);
  const ledgerDifferences = integrity.ledgerDifferences();
  return { ledgerDifferences, paymentsDiffer, hasUnexplained, unpricedPositions, setAsideJobs };
}

/** Durations of jobs and outside calls. */
function createOperationTimes(registers: Registry[]) {
  const calls = new Histogram({
    name: 'sextant_outside_call_duration_seconds',
    help: 'Time of a request to another service, to its response.',
    labelNames: ['service', 'outcome', 'thread'],
    buckets: callBuckets,
    registers,
  });
  const jobs = new Histogram({
    name: 'sextant_job_duration_seconds',
    help: 'Time of one attempt of a job.',
    labelNames: ['queue', 'outcome'],
    buckets: jobBuckets,
    registers,
  });
  return {
    add: ({ kind, name }: Operation, outcome: OperationOutcome, seconds: number): void => {
      if (kind === 'job') jobs.observe({ queue: name, outcome }, seconds);
      else calls.observe({ service: name, outcome }, seconds);
    },
    addWatched: ({ calls: finished }: WatchFigures): void => {
      for (const [service, outcome, seconds] of finished) calls.observe({ service, outcome, thread: 'watch' }, seconds);
    },
  };
}

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge: MakeGauge = (name, help, ...labelNames) => new Gauge({ name, help, labelNames, registers });
  gauge('sextant_info', 'Version and role of the node.', 'version', 'role', 'node').set(
    { version: deps.version, role: deps.role, node: nodeName() },
    1,
  );
  const durations = new Histogram({
    name: 'sextant_http_request_duration_seconds',
    help: 'Time to respond by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers,
  });
  const operations = createOperationTimes(registers);
  const fillNode = createNodeGauges(gauge, deps);
  const fillStored = createStoredGauges(gauge);
  const fillDisk = createDiskGauges(gauge);
  const fillIntegrity = createIntegrityGauges(gauge);
  let isProcessMeasured = false;
  let countConnections: (() => Promise<number>) | undefined;
  let watch: { figures: WatchFigures; atMs: number } | undefined;
  return {
    watchResponses(request, reply, done) {
      const { url = 'none' } = request.routeOptions;
      const labels = { method: request.method, route: url, status: String(reply.statusCode) };
      // Only a stream writes its head itself, so only there the type is set on the raw response.
      if (reply.raw.getHeader('content-type') !== eventStreamType) durations.observe(labels, reply.elapsedTime / 1000);
      done();
    },
    start(count) {
      countConnections = count;
      if (!isProcessMeasured) collectDefaultMetrics({ register: registry });
      isProcessMeasured = true;
      return addObserver(createTimer(operations.add));
    },
    takeWatchFigures(figures) {
      watch = { figures, atMs: performance.now() };
      operations.addWatched(figures);
    },
    async read() {
      const connectionCount = await countConnections?.().catch(() => undefined);
      const reading = watch && { figures: watch.figures, ageSeconds: (performance.now() - watch.atMs) / 1000 };
      // Before the queries of the scrape itself, which take connections of the pool.
      fillNode(reading, connectionCount);
      const [stored, integrity, disk] = await Promise.all([
        soon(withSystem(deps.db, readStoredFigures)),
        readIntegrity(deps.integrity),
        readDiskSpace(deps.dataDir),
      ]);
      fillStored(stored);
      fillIntegrity(integrity);
      fillDisk(disk);
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}
