import type { Gauge } from 'prom-client';
import type { DatabaseState } from '../../../platform/db/databaseWatch.ts';
import { nodeName } from '../../../platform/jobs/leadership.ts';
import type { Market } from '../../market/port.ts';
import type { DiskSpace } from './diskSpace.ts';
import type { Clocks } from '../clocks/clocks.ts';
import type { Readiness } from '../ready/readiness.ts';
import type { StoredFigures } from './storedFigures.ts';
import type { BudgetFigure, DataTimes, WatchFigures } from './watchFigures.ts';

export type MakeGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>;

export interface NodeSources {
  /** Connections of the pool: all, unused ones, and requests that wait for one. */
  pool: () => { total: number; idle: number; waiting: number };
  databaseState: () => DatabaseState;
  clocks: Pick<Clocks, 'database' | 'exchanges'>;
  warmth: Market['warmth'];
  dataAtMs: () => DataTimes;
  /** Use of the exchanges' limits by the server thread. */
  budgets: () => BudgetFigure[];
  /** Milliseconds from sending a notice to receiving it; undefined while this node does not listen. */
  eventLagMs: () => number | undefined;
  readiness: () => Readiness;
  /** Open streams of this node by kind. */
  openStreams: () => Record<string, number>;
  /** Errors of this process that no handler caught. */
  unexpectedErrorCount: () => number;
  /** Spans that the collector did not take; undefined without tracing. */
  droppedSpanCount: () => number | undefined;
  now?: () => number;
}

/** Figures of the watch thread, and how old they are in seconds. */
export interface WatchReading {
  figures: WatchFigures;
  ageSeconds: number;
}

/** Figures of a watch thread that has not reported for this long are those of another time. */
const watchAgeSecondsMax = 15;
const thread = 'watch';

/** Metrics from memory. Those of the watch thread have the label `thread`. @returns reads them now */
export function createNodeGauges(
  gauge: MakeGauge,
  sources: NodeSources,
): (watch: WatchReading | undefined, connectionCount: number | undefined) => void {
  const fillProcess = createProcessGauges(gauge, sources);
  const fillExchanges = createExchangeGauges(gauge, sources);
  const watchAge = gauge('sextant_watch_report_age_seconds', 'Time since the watch thread last reported.');
  const lag = gauge('sextant_event_loop_lag_seconds', '99th percentile of the event loop delay of a thread.', 'thread');
  return (watch, connectionCount) => {
    fillProcess(connectionCount);
    lag.reset();
    setOrRemove(watchAge, watch?.ageSeconds);
    const current = watch !== undefined && watch.ageSeconds <= watchAgeSecondsMax ? watch.figures : undefined;
    if (current !== undefined) lag.set({ thread }, current.lagSeconds);
    fillExchanges(current);
  };
}

/** A gauge without labels starts at 0, which nothing measured. */
function setOrRemove(gauge: Gauge<never>, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

function createProcessGauges(gauge: MakeGauge, sources: NodeSources): (connectionCount: number | undefined) => void {
  const pool = gauge('sextant_database_pool_connections', 'Connections of the pool by state.', 'state');
  const isReady = gauge('sextant_ready', '1 while requests may be routed to this node.');
  const reason = gauge('sextant_readiness_reason', '1 for each reason why the node is degraded or not ready.', 'code');
  const isUp = gauge('sextant_database_up', '1 while the database responds.');
  const offset = gauge('sextant_clock_offset_seconds', 'How far the named clock is ahead of this node.', 'clock');
  const eventLag = gauge('sextant_event_lag_seconds', 'Time from sending a notice to receiving it on this node.');
  const streams = gauge('sextant_open_streams', 'Open event streams of this node by kind.', 'kind');
  const connections = gauge('sextant_http_connections', 'Open connections of the port of the product.');
  const errors = gauge('sextant_unexpected_errors', 'Errors since the start that no handler caught.');
  const spans = gauge('sextant_dropped_spans', 'Spans since the start that the collector did not take.');
  return (connectionCount) => {
    const { total, idle, waiting } = sources.pool();
    pool.set({ state: 'used' }, total - idle);
    pool.set({ state: 'idle' }, idle);
    pool.set({ state: 'waiting' }, waiting);
    const { status, reasons } = sources.readiness();
    isReady.set(status === 'not_ready' ? 0 : 1);
    reason.reset();
    for (const { code } of reasons) reason.set({ code }, 1);
    isUp.set(sources.databaseState() === 'ok' ? 1 : 0);
    offset.reset();
    const clocks = { database: sources.clocks.database(), ...sources.clocks.exchanges() };
    for (const [clock, read] of Object.entries(clocks))
      if (read !== undefined) offset.set({ clock }, read.offsetMs / 1000);
    for (const [kind, count] of Object.entries(sources.openStreams())) streams.set({ kind }, count);
    errors.set(sources.unexpectedErrorCount());
    const lagMs = sources.eventLagMs();
    setOrRemove(eventLag, lagMs === undefined ? undefined : lagMs / 1000);
    setOrRemove(connections, connectionCount);
    setOrRemove(spans, sources.droppedSpanCount());
  };
}

function createExchangeGauges(gauge: MakeGauge, sources: NodeSources): (watch: WatchFigures | undefined) => void {
  const { now = Date.now } = sources;
  const age = gauge('sextant_data_age_seconds', 'Age of the newest streamed data.', 'exchange', 'topic', 'thread');
  const silent = gauge('sextant_silent_topics', 'Acknowledged topics without data.', 'exchange', 'thread');
  const used = gauge(
    'sextant_exchange_budget_used',
    'Used part of a request limit, in its unit.',
    'exchange',
    'budget',
    'thread',
  );
  const capacity = gauge('sextant_exchange_budget_capacity', 'Our part of a limit.', 'exchange', 'budget', 'thread');
  const warm = gauge('sextant_warm_series', 'Candle series in memory by state.', 'state');
  const fill = (labels: { thread?: string }, times: DataTimes, budgets: readonly BudgetFigure[]): void => {
    for (const [exchange, topics] of Object.entries(times))
      for (const [topic, atMs] of Object.entries(topics))
        if (atMs !== null) age.set({ exchange, topic, ...labels }, Math.max(0, now() - atMs) / 1000);
    for (const { exchange, name: budget, used: cost, capacity: limit } of budgets) {
      used.set({ exchange, budget, ...labels }, cost);
      capacity.set({ exchange, budget, ...labels }, limit);
    }
  };
  return (watch) => {
    for (const each of [age, silent, used, capacity]) each.reset();
    fill({}, sources.dataAtMs(), sources.budgets());
    const { feeds, wantedCount, readyCount } = sources.warmth();
    for (const [exchange, { silentTopics }] of Object.entries(feeds)) silent.set({ exchange }, silentTopics.length);
    warm.set({ state: 'wanted' }, wantedCount);
    warm.set({ state: 'ready' }, readyCount);
    if (watch === undefined) return;
    fill({ thread }, watch.dataAtMs, watch.budgets);
    for (const [exchange, count] of Object.entries(watch.silentTopics)) silent.set({ exchange, thread }, count);
  };
}

/** Metrics from the database, the same on every node except who leads. @returns sets them; undefined removes them */
export function createStoredGauges(gauge: MakeGauge): (stored: StoredFigures | undefined) => void {
  const jobs = gauge('sextant_queue_jobs', 'Jobs of a queue by state.', 'queue', 'state');
  const age = gauge('sextant_queue_age_seconds', 'Age of the oldest job that is due; 0 without one.', 'queue');
  const epoch = gauge('sextant_leader_epoch', 'Newest epoch of a leadership.', 'name');
  const isLed = gauge('sextant_leadership_held', '1 while any node leads.', 'name');
  const isLeader = gauge('sextant_leader', '1 while this node leads.', 'name');
  const connections = gauge('sextant_database_connections', 'Connections of all nodes by application.', 'application');
  const most = gauge('sextant_database_connections_max', 'Connections that the database takes.', 'scope');
  const size = gauge('sextant_database_size_bytes', 'Bytes of the database on disk.', 'database');
  const wal = gauge('sextant_database_wal_bytes', 'Bytes of write-ahead log since the cluster was made.', 'database');
  const notices = gauge('sextant_notice_queue_used_ratio', 'Used part of the queue of notices.', 'database');
  const database = 'sextant';
  return (stored) => {
    for (const each of [jobs, age, epoch, isLed, isLeader, connections, most, size, wal, notices]) each.reset();
    if (stored === undefined) return;
    for (const { queue, waiting, running, age_s: ageS } of stored.queues) {
      jobs.set({ queue, state: 'waiting' }, waiting);
      jobs.set({ queue, state: 'running' }, running);
      age.set({ queue }, ageS ?? 0);
    }
    for (const { name, epoch: value, node, is_led: held } of stored.leaders) {
      epoch.set({ name }, value);
      isLed.set({ name }, held ? 1 : 0);
      isLeader.set({ name }, held && node === nodeName() ? 1 : 0);
    }
    const { storage } = stored;
    for (const [application, count] of Object.entries(storage.connections)) connections.set({ application }, count);
    most.set({ scope: 'all' }, storage.connections_max);
    size.set({ database }, storage.size);
    if (storage.wal !== null) wal.set({ database }, storage.wal);
    notices.set({ database }, storage.notice_queue);
  };
}

/** Space of the disk of DATA_DIR. @returns sets it; undefined removes it */
export function createDiskGauges(gauge: MakeGauge): (disk: DiskSpace | undefined) => void {
  const free = gauge('sextant_data_dir_free_bytes', 'Free bytes of the disk of DATA_DIR.');
  const total = gauge('sextant_data_dir_size_bytes', 'Bytes of the disk of DATA_DIR.');
  return (disk) => {
    setOrRemove(free, disk?.freeBytes);
    setOrRemove(total, disk?.totalBytes);
  };
}

/** Facts that need an operator; undefined when they could not be read. */
export interface Integrity {
  /** Violations that the last check of the ledger detected; undefined before the first. */
  ledgerDifferences: number | undefined;
  paymentsDiffer: boolean | undefined;
  hasUnexplained: boolean | undefined;
  unpricedPositions: number | undefined;
  setAsideJobs: number | undefined;
}

/** @returns sets them; those that are unknown are absent */
export function createIntegrityGauges(gauge: MakeGauge): (integrity: Integrity) => void {
  const ledger = gauge('sextant_ledger_differences', 'Violations that the last check of the ledger detected.', 'check');
  const differences = gauge('sextant_differences', '1 while a comparison has a difference.', 'comparison');
  const unpriced = gauge('sextant_unpriced_positions', 'Open positions without a price for a minute.', 'market');
  const setAside = gauge('sextant_set_aside_jobs', 'Jobs that were set aside within the last day.', 'scope');
  return ({ ledgerDifferences, paymentsDiffer, hasUnexplained, unpricedPositions, setAsideJobs }) => {
    for (const each of [ledger, differences, unpriced, setAside]) each.reset();
    if (ledgerDifferences !== undefined) ledger.set({ check: 'invariants' }, ledgerDifferences);
    if (paymentsDiffer !== undefined) differences.set({ comparison: 'payments' }, paymentsDiffer ? 1 : 0);
    if (hasUnexplained !== undefined) differences.set({ comparison: 'reconciliation' }, hasUnexplained ? 1 : 0);
    if (unpricedPositions !== undefined) unpriced.set({ market: 'served' }, unpricedPositions);
    if (setAsideJobs !== undefined) setAside.set({ scope: 'all' }, setAsideJobs);
  };
}
