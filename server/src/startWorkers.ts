import { z } from 'zod';
import type { Deps } from './deps.ts';
import { resolveSignals } from './features/performance/resolveSignals.ts';
import { runScan } from './features/scan/runScan.ts';
import type { App } from './platform/http/app.ts';
import { repeat } from './platform/repeat.ts';

/** Scans one node works on at once; their engine tasks share the threads. */
const SCANS_AT_ONCE = 2;
const ScanJob = z.object({ scanId: z.uuid() });

const resolveMs = 60_000;

/** Takes the work of every queue, and looks once a minute what became of signals. Once per node that is not `ROLE=web`. */
export async function startWorkers(deps: Deps, log: Pick<App['log'], 'warn'>): Promise<() => void> {
  await deps.jobs.work('scan', SCANS_AT_ONCE, (data, signal) => runScan(deps, ScanJob.parse(data).scanId, signal));
  return repeat(
    resolveMs,
    () => resolveSignals(deps),
    (error) => log.warn({ err: error }, 'signals were not looked at'),
  );
}
