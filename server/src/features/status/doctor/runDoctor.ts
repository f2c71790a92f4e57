import { failWith, type Result } from '@sextant/workers/src/core/result.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { readDiskSpace } from '../metrics/diskSpace.ts';
import { readDiskRecord, storeDiskRecord } from './diskRecord.ts';
import type { Finding } from './finding.ts';
import { judge } from './judge.ts';
import { readDatabase } from './readDatabase.ts';
import { readNode } from './readNode.ts';

export interface DoctorInput {
  /** Logins of the database to try in turn; empty: there is none. */
  databaseUrls: readonly string[];
  probes: readonly string[];
  dataDir: string;
  /** Between the two readings of what grows. */
  sampleMs?: number;
}

export interface DoctorReport {
  findings: Finding[];
  tookMs: number;
}

const sampleMsUsual = 3000;
/** Deadline of one request to a probe port. */
const requestMs = 2500;
/** With the pause and the requests the whole ends within ten seconds. */
const wholeMs = 9000;

/** The result, or the error after the deadline. */
async function within<T>(ms: number, work: Promise<Result<T, string>>): Promise<Result<T, string>> {
  const late = new AbortController();
  const timer = pause(ms, failWith('no response in time'), { signal: late.signal });
  timer.catch(() => undefined);
  return Promise.race([work, timer]).finally(() => late.abort());
}

/** Host, port and name, without the password. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Reads everything side by side, at most ten seconds, and judges it. */
export async function runDoctor(input: DoctorInput): Promise<DoctorReport> {
  const startedMs = performance.now();
  const { databaseUrls, probes, dataDir, sampleMs = sampleMsUsual } = input;
  const wait = (): Promise<void> => pause(sampleMs);
  const [first] = databaseUrls;
  const name = first === undefined ? '' : nameOf(first);
  const [nodes, database, disk, before] = await Promise.all([
    Promise.all(
      probes.map(async (url) => ({
        url,
        reading: await within(wholeMs, readNode(url, { pause: wait, deadlineMs: requestMs })),
      })),
    ),
    within(wholeMs, readDatabase(databaseUrls, wait)),
    readDiskSpace(dataDir),
    readDiskRecord(dataDir, name),
  ]);
  const nowMs = Date.now();
  const findings = judge({ nodes, database, disk, before, nowMs });
  if (database.ok) await storeDiskRecord(dataDir, { atMs: nowMs, database: name, size: database.value.storage.size });
  return { findings, tookMs: performance.now() - startedMs };
}

const marks: Record<Finding['level'], string> = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' };

/** The findings as text: one line each, problems marked, with the section of the runbook. */
export function reportText({ findings, tookMs }: DoctorReport): string {
  const lines = findings.map(({ level, area, text, runbook }) => {
    const more = runbook === undefined ? '' : `  (docs/runbooks.md#${runbook})`;
    return `${marks[level]}  ${area.padEnd(8)}  ${text}${more}`;
  });
  const count = (level: Finding['level']): number => findings.filter((each) => each.level === level).length;
  const problems = count('problem');
  const sum = `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${count('warning')} warnings, ${(tookMs / 1000).toFixed(1)} s`;
  return `${[...lines, sum].join('\n')}\n`;
}
