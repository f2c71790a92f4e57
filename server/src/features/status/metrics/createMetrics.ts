import { sql } from 'kysely';
import type { onResponseHookHandler } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseState } from '../../../platform/db/databaseWatch.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { nodeName } from '../../../platform/jobs/leadership.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import type { Clocks } from '../clocks/clocks.ts';

export interface MetricsDeps {
  db: Db;
  version: string;
  role: string;
  /** Connections of the pool: all, unused ones, and requests that wait for one. */
  pool: () => { total: number; idle: number; waiting: number };
  databaseState: () => DatabaseState;
  clocks: Pick<Clocks, 'database' | 'exchanges'>;
  warmth: Market['warmth'];
  /** Epoch ms of the newest streamed data, by exchange and topic; null without such a topic. */
  dataAtMs: () => Partial<Record<ExchangeId, Record<string, number | null>>>;
  /** Use of the exchanges' limits by the server thread. */
  budgets: () => { exchange: ExchangeId; name: string; used: number; capacity: number }[];
  now?: () => number;
}

export interface Metrics {
  /** Measures each response by method, route and status. */
  watchResponses: onResponseHookHandler;
  /** Also collects memory, event loop and garbage collection of the process. */
  startProcessMetrics: () => void;
  /** All metrics in the text format of Prometheus. Those of the database are absent while it does not respond. */
  read: () => Promise<{ type: string; body: string }>;
}

/** Seconds. Most responses come from memory in milliseconds; a scan or a search may take seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A scrape waits this long for the database: its other metrics are needed most while the database hangs. */
const databaseMsMax = 800;

interface QueueRow {
  queue: string;
  waiting: number;
  running: number;
  age_s: number | null;
}
interface LeaderRow {
  name: string;
  epoch: number;
  node: string;
  is_led: boolean;
}

const readQueues = async (tx: SystemTx): Promise<QueueRow[]> =>
  (
    await sql<QueueRow>`
    select name as queue, count(*) filter (where state < 'active')::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::float8 as age_s
    from jobs.job where state < 'completed' group by name
    union all
    select 'email', count(*)::int, 0, extract(epoch from now() - min(created_at))::float8 from mails
    union all
    select 'delivery', count(*)::int, 0,
      extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now()))::float8
    from notification_deliveries where state = 'waiting'`.execute(tx)
  ).rows;

const readLeaders = async (tx: SystemTx): Promise<LeaderRow[]> =>
  (
    await sql<LeaderRow>`
    select name, epoch, node, expires_at > clock_timestamp() as is_led from leaderships`.execute(tx)
  ).rows;

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

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers });
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
  const fillNode = createNodeGauges(gauge, deps);
  const fillStored = createStoredGauges(gauge);
  return {
    watchResponses(request, reply, done) {
      const { url = 'none' } = request.routeOptions;
      const labels = { method: request.method, route: url, status: String(reply.statusCode) };
      durations.observe(labels, reply.elapsedTime / 1000);
      done();
    },
    startProcessMetrics: () => collectDefaultMetrics({ register: registry }),
    async read() {
      fillNode();
      const stored = withSystem(deps.db, async (tx) => ({
        queues: await readQueues(tx),
        leaders: await readLeaders(tx),
      }));
      fillStored(await soon(stored));
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

type MakeGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>;

/** Metrics from memory. @returns reads them now */
function createNodeGauges(gauge: MakeGauge, deps: MetricsDeps): () => void {
  const { now = Date.now } = deps;
  const pool = gauge('sextant_database_pool_connections', 'Connections of the pool by state.', 'state');
  const isUp = gauge('sextant_database_up', '1 while the database responds.');
  const offset = gauge('sextant_clock_offset_seconds', 'How far the named clock is ahead of this node.', 'clock');
  const age = gauge('sextant_data_age_seconds', 'Age of the newest streamed data.', 'exchange', 'topic');
  const silent = gauge('sextant_silent_topics', 'Acknowledged topics without data.', 'exchange');
  const used = gauge(
    'sextant_exchange_budget_used',
    'Used part of a request limit, in its unit.',
    'exchange',
    'budget',
  );
  const capacity = gauge('sextant_exchange_budget_capacity', 'Our part of a limit.', 'exchange', 'budget');
  const warm = gauge('sextant_warm_series', 'Candle series in memory by state.', 'state');
  return () => {
    const { total, idle, waiting } = deps.pool();
    pool.set({ state: 'used' }, total - idle);
    pool.set({ state: 'idle' }, idle);
    pool.set({ state: 'waiting' }, waiting);
    isUp.set(deps.databaseState() === 'ok' ? 1 : 0);
    offset.reset();
    const clocks = { database: deps.clocks.database(), ...deps.clocks.exchanges() };
    for (const [clock, read] of Object.entries(clocks))
      if (read !== undefined) offset.set({ clock }, read.offsetMs / 1000);
    age.reset();
    for (const [exchange, topics] of Object.entries(deps.dataAtMs()))
      for (const [topic, atMs] of Object.entries(topics))
        if (atMs !== null) age.set({ exchange, topic }, Math.max(0, now() - atMs) / 1000);
    const { feeds, wantedCount, readyCount } = deps.warmth();
    for (const [exchange, { silentTopics }] of Object.entries(feeds)) silent.set({ exchange }, silentTopics.length);
    warm.set({ state: 'wanted' }, wantedCount);
    warm.set({ state: 'ready' }, readyCount);
    for (const { exchange, name, used: cost, capacity: limit } of deps.budgets()) {
      used.set({ exchange, budget: name }, cost);
      capacity.set({ exchange, budget: name }, limit);
    }
  };
}

/** Metrics from the database, the same on every node except who leads. @returns sets them; undefined removes them */
function createStoredGauges(
  gauge: MakeGauge,
): (stored: { queues: QueueRow[]; leaders: LeaderRow[] } | undefined) => void {
  const jobs = gauge('sextant_queue_jobs', 'Jobs of a queue by state.', 'queue', 'state');
  const age = gauge('sextant_queue_age_seconds', 'Age of the oldest job that is due; 0 without one.', 'queue');
  const epoch = gauge('sextant_leader_epoch', 'Newest epoch of a leadership.', 'name');
  const isLed = gauge('sextant_leadership_held', '1 while any node leads.', 'name');
  const isLeader = gauge('sextant_leader', '1 while this node leads.', 'name');
  return (stored) => {
    for (const each of [jobs, age, epoch, isLed, isLeader]) each.reset();
    for (const { queue, waiting, running, age_s: ageS } of stored?.queues ?? []) {
      jobs.set({ queue, state: 'waiting' }, waiting);
      jobs.set({ queue, state: 'running' }, running);
      age.set({ queue }, ageS ?? 0);
    }
    for (const { name, epoch: value, node, is_led: held } of stored?.leaders ?? []) {
      epoch.set({ name }, value);
      isLed.set({ name }, held ? 1 : 0);
      isLeader.set({ name }, held && node === nodeName() ? 1 : 0);
    }
  };
}
