import type { Result } from '@sextant/workers/src/core/result.ts';
import { provenMs } from '../../../platform/clockOffset.ts';
import type { DiskSpace } from '../metrics/diskSpace.ts';
import type { DiskRecord } from './diskRecord.ts';
import { bounds, queueAgeBoundsS, vitalLeaderships } from './bounds.ts';
import { bytes, type Finding, seconds } from './finding.ts';
import { judgeNode } from './judgeNode.ts';
import type { DatabaseReading } from './readDatabase.ts';
import type { NodeReading } from './readNode.ts';

export interface Readings {
  /** By base URL of the probe port. */
  nodes: readonly { url: string; reading: Result<NodeReading, string> }[];
  database: Result<DatabaseReading, string>;
  disk: DiskSpace | undefined;
  /** An earlier run on this machine. */
  before: DiskRecord | undefined;
  nowMs: number;
}

const dayMs = 86_400_000;
const daySeconds = 86_400;

/** The findings of all areas, in the order in which an operator reads them. */
export function judge({ nodes, database, disk, before, nowMs }: Readings): Finding[] {
  const ofNodes = nodes.flatMap(({ url, reading }) => judgeNode(url, reading));
  if (!database.ok) {
    const text = `cannot be read: ${database.error}`;
    return [...ofNodes, { level: 'problem', area: 'database', text, runbook: 'database-down' }, ...judgeSpace(disk)];
  }
  const stored = database.value;
  return [
    ...ofNodes,
    ...judgeConnections(stored),
    judgeClock(stored),
    ...judgeLeaders(stored),
    ...judgeQueues(stored),
    ...judgeVenues(stored),
    ...judgeGrowth(stored, before, nowMs),
    ...judgeSpace(disk),
  ];
}

function judgeConnections({ version, responseMs, storage }: DatabaseReading): Finding[] {
  const { connections_max: most, notice_queue: noticeQueue } = storage;
  const used = Object.values(storage.connections).reduce((sum, count) => sum + count, 0);
  const ratio = used / most;
  const isSlow = responseMs > bounds.databaseMs;
  const text = `PostgreSQL ${version}, ${responseMs.toFixed(0)} ms, ${used} of ${most} connections`;
  const findings: Finding[] = [];
  if (ratio > bounds.connectionsRatio)
    findings.push({ level: 'problem', area: 'database', text, runbook: 'database-connections' });
  else if (ratio > bounds.connectionsWarnRatio || isSlow)
    findings.push({ level: 'warning', area: 'database', text, runbook: 'database-connections' });
  else findings.push({ level: 'ok', area: 'database', text });
  if (noticeQueue > bounds.noticeQueueRatio)
    findings.push({
      level: 'problem',
      area: 'database',
      text: `the queue of notices is ${(noticeQueue * 100).toFixed(0)} % full: a listener hangs`,
      runbook: 'events-late',
    });
  return findings;
}

function judgeClock({ clock }: DatabaseReading): Finding {
  const offS = provenMs(clock) / 1000;
  const side = clock.offsetMs > 0 ? 'behind' : 'ahead of';
  if (offS <= bounds.clockWarnS) return { level: 'ok', area: 'clocks', text: 'this machine agrees with the database' };
  const text = `this machine is ${seconds(Math.abs(clock.offsetMs) / 1000)} ${side} the database`;
  return { level: offS > bounds.clockS ? 'problem' : 'warning', area: 'clocks', text, runbook: 'clock-off' };
}

function judgeLeaders({ leaders }: DatabaseReading): Finding[] {
  const held = leaders.filter(({ is_led: isLed }) => isLed);
  const lost = leaders.filter(({ is_led: isLed }) => !isLed).map(({ name }) => name);
  const vital: readonly string[] = vitalLeaderships;
  const findings: Finding[] = held.map(({ name, node, epoch }) => ({
    level: 'ok',
    area: 'leaders',
    text: `${name}: ${node}, epoch ${epoch}`,
  }));
  for (const name of lost)
    findings.push({
      level: vital.includes(name) ? 'problem' : 'warning',
      area: 'leaders',
      text: `${name}: no node leads`,
      runbook: 'no-leader',
    });
  if (leaders.length === 0)
    findings.push({ level: 'warning', area: 'leaders', text: 'no worker has ever led', runbook: 'no-leader' });
  return findings;
}

function judgeQueues({ queues }: DatabaseReading): Finding[] {
  const bound: Partial<Record<string, number>> = queueAgeBoundsS;
  const late = queues.filter(({ queue, age_s: ageS }) => (ageS ?? 0) > (bound[queue] ?? Infinity));
  if (late.length === 0) {
    const waiting = queues.reduce((sum, each) => sum + each.waiting, 0);
    const running = queues.reduce((sum, each) => sum + each.running, 0);
    return [{ level: 'ok', area: 'queues', text: `${waiting} jobs wait, ${running} run, none is late` }];
  }
  return late
    .sort((a, b) => (b.age_s ?? 0) - (a.age_s ?? 0))
    .map(({ queue, waiting, running, age_s: ageS }) => ({
      level: 'problem',
      area: 'queues',
      text: `${queue} is behind: ${waiting} wait, ${running} run, oldest ${seconds(ageS ?? 0)} (bound ${bound[queue] ?? 0} s)`,
      runbook: 'queue-behind',
    }));
}

/** Slowest first. */
function judgeVenues({ venues }: DatabaseReading): Finding[] {
  if (venues.length === 0)
    return [
      { level: 'warning', area: 'venues', text: 'no probe of an exchange in 15 minutes', runbook: 'exchange-slow' },
    ];
  return [...venues]
    .sort((a, b) => (b.median_ms ?? Infinity) - (a.median_ms ?? Infinity))
    .map(({ part, median_ms: medianMs, probes, failures }) => {
      const isSlow = medianMs === null || medianMs > bounds.venueMs;
      const isFailing = failures >= bounds.venueFailures;
      const speed = medianMs === null ? 'no response' : `median ${medianMs.toFixed(0)} ms`;
      const text = `${part}: ${speed}, ${failures} of ${probes} probes failed in 15 minutes`;
      if (!isSlow && !isFailing) return { level: 'ok', area: 'venues', text };
      return { level: medianMs === null ? 'problem' : 'warning', area: 'venues', text, runbook: 'exchange-slow' };
    });
}

function judgeGrowth(
  { storage, later, tables }: DatabaseReading,
  before: DiskRecord | undefined,
  nowMs: number,
): Finding[] {
  const largest = tables.map(({ name, bytes: size }) => `${name} ${bytes(size)}`).join(', ');
  const parts = [`database ${bytes(storage.size)} (${largest})`];
  const laterWal = later?.storage.wal ?? null;
  const walPerS =
    later === undefined || laterWal === null || storage.wal === null
      ? undefined
      : (laterWal - storage.wal) / later.seconds;
  if (walPerS !== undefined) parts.push(`log written now: ${bytes(walPerS)}/s, ${bytes(walPerS * daySeconds)} a day`);
  const days = before === undefined ? 0 : (nowMs - before.atMs) / dayMs;
  if (before !== undefined && days > 0) {
    const grown = storage.size - before.size;
    const since = days < 1 ? `${(days * 24).toFixed(1)} h` : `${days.toFixed(1)} days`;
    parts.push(`grown ${bytes(grown)} in ${since}, ${bytes(grown / days)} a day`);
  } else parts.push('growth is known from the next run on');
  return parts.map((text) => ({ level: 'ok', area: 'disk', text }));
}

function judgeSpace(disk: DiskSpace | undefined): Finding[] {
  if (disk === undefined) return [];
  const ratio = disk.freeBytes / disk.totalBytes;
  const text = `DATA_DIR: ${bytes(disk.freeBytes)} of ${bytes(disk.totalBytes)} free`;
  if (ratio > bounds.freeWarnRatio) return [{ level: 'ok', area: 'disk', text }];
  return [{ level: ratio > bounds.freeRatio ? 'warning' : 'problem', area: 'disk', text, runbook: 'disk-fills' }];
}
