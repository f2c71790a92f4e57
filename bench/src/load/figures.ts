import { setTimeout as pause } from 'node:timers/promises';
import { findViolations } from '@sextant/server/src/features/credits/ledgerWatch.ts';
import { quantile } from '../statistics.ts';
import type { Fault } from './faults.ts';
import type { Population } from './population.ts';
import type { LoadProduct } from './product.ts';
import type { Read } from './traffic.ts';

/** Processor time and memory of a node, over all its processes where it was restarted. */
export interface NodeFigures {
  name: string;
  /** Resident memory, MiB: the first and last sample of its last process, and the most of all. */
  firstMib: number;
  lastMib: number;
  mostMib: number;
  cpuS: number;
}

const SAMPLE_MS = 5000;
const MIB = 2 ** 20;
/** Open pages fetch everything again after a fault: their requests belong to it. */
const AFTER_MS = 10_000;
const SETTLE_MS_MAX = 180_000;

const valueOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

/** Samples memory and processor time of every node. @returns stops and reports */
export function sampleNodes({ nodes }: LoadProduct): () => Promise<NodeFigures[]> {
  const seen = new Map(
    nodes.map(({ name }) => [name, { pid: 0, firstMib: 0, lastMib: 0, mostMib: 0, cpuS: 0, startCpuS: 0, nowCpuS: 0 }]),
  );
  const stopping = new AbortController();
  async function sample(): Promise<void> {
    await Promise.all(
      nodes.map(async (node) => {
        const [pid, text] = [node.pid() ?? 0, await node.metrics()];
        const bytes = valueOf(text, 'process_resident_memory_bytes');
        const cpuS = valueOf(text, 'process_cpu_seconds_total');
        const each = seen.get(node.name);
        if (bytes === undefined || cpuS === undefined || each === undefined || pid === 0) return;
        const mib = Math.round(bytes / MIB);
        if (each.pid !== pid) {
          each.cpuS += each.nowCpuS - each.startCpuS;
          // The time of a process before the load is not of the load; a restart during it is.
          Object.assign(each, { startCpuS: each.pid === 0 ? cpuS : 0, pid, firstMib: mib });
        }
        Object.assign(each, { nowCpuS: cpuS, lastMib: mib, mostMib: Math.max(each.mostMib, mib) });
      }),
    );
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sample();
      await pause(SAMPLE_MS);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
    await sample();
    return [...seen].map(([name, { firstMib, lastMib, mostMib, cpuS, nowCpuS, startCpuS }]) => ({
      name,
      firstMib,
      lastMib,
      mostMib,
      cpuS: cpuS + nowCpuS - startCpuS,
    }));
  };
}

export interface ReadFigures {
  count: number;
  failed: number;
  /** Latency of reads without a fault, ms. */
  quiet: { count: number; failed: number; p50: number; p95: number; p99: number; max: number };
  p99ByPath: Record<string, number>;
}

export function summarise(reads: readonly Read[], faults: readonly Fault[]): ReadFigures {
  const isFailed = ({ status }: Read): boolean => status !== 200;
  const quiet = reads.filter(
    ({ dueMs }) => !faults.some(({ fromMs, toMs }) => dueMs >= fromMs - 1000 && dueMs < toMs + AFTER_MS),
  );
  const of = (list: readonly Read[], fraction: number): number =>
    list.length === 0
      ? NaN
      : quantile(
          list.map(({ latencyMs }) => latencyMs),
          fraction,
        );
  return {
    count: reads.length,
    failed: reads.filter(isFailed).length,
    quiet: {
      count: quiet.length,
      failed: quiet.filter(isFailed).length,
      p50: of(quiet, 0.5),
      p95: of(quiet, 0.95),
      p99: of(quiet, 0.99),
      max: of(quiet, 1),
    },
    p99ByPath: Object.fromEntries(
      [...Map.groupBy(quiet, ({ path }) => path)].map(([path, list]) => [path, of(list, 0.99)]),
    ),
  };
}

export interface Outcome {
  scans: { started: number; done: number; failed: number };
  closes: { due: number; done: number };
  alerts: { due: number; fired: number };
  /** One sentence for each thing that was lost or doubled. */
  wrong: string[];
}

/** Waits until everything that is due has happened, at most some minutes, and compares it with what the load caused. */
export async function verify(
  { sql, database }: LoadProduct,
  { moved }: Population,
  scanIds: readonly string[],
): Promise<Outcome> {
  const count = async (text: string, values: unknown[] = []): Promise<number> =>
    (await sql<{ count: number }>(`select count(*)::int as count ${text}`, values))[0]?.count ?? -1;
  const open = async (): Promise<number> =>
    (await count(`from scans where status in ('queued', 'running')`)) +
    (await count('from positions where closed_at is null and symbol = any ($1)', [moved])) +
    (await count(`from alerts where fired_count = 0 and condition->>'symbol' = any ($1)`, [moved]));
  const endMs = performance.now() + SETTLE_MS_MAX;
  while ((await open()) > 0 && performance.now() < endMs) await pause(500);
  const due = await count('from positions where symbol = any ($1)', [moved]);
  const done = await count('from positions where closed_at is not null');
  const dueAlerts = await count(`from alerts where condition->>'symbol' = any ($1)`, [moved]);
  const fired = await count('from alerts where fired_count > 0');
  const scans = {
    started: scanIds.length,
    done: await count(`from scans where status = 'done'`),
    failed: await count(`from scans where status not in ('done', 'queued', 'running')`),
  };
  const checks: [number, string][] = [
    [await count('from positions where closed_at is null and symbol = any ($1)', [moved]), 'closes missed'],
    [await count('from positions where closed_at is not null and not (symbol = any ($1))', [moved]), 'closes too many'],
    [
      await count(
        `from (select position_id from position_events where kind = 'closed' group by 1 having count(*) > 1) s`,
      ),
      'positions closed twice',
    ],
    [
      await count(`from alerts where fired_count = 0 and condition->>'symbol' = any ($1)`, [moved]),
      'alerts that did not fire',
    ],
    [await count('from alerts where fired_count > 1'), 'alerts that fired twice'],
    [
      await count(`from (select alert_id from alert_receipts group by 1 having count(*) > 1) s`),
      'alerts with two receipts',
    ],
    [await count(`from scans where status in ('queued', 'running')`), 'scans that did not end'],
    [Math.abs((await count('from scans')) - scanIds.length), 'scans lost or doubled'],
    [
      await count(`from credit_ledger h where kind = 'hold'
        and not exists (select from credit_ledger s where s.hold_id = h.id)`),
      'holds left open',
    ],
    [(await findViolations(database.db)).length, 'violations of the ledger'],
  ];
  const wrong = checks.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return { scans, closes: { due, done }, alerts: { due: dueAlerts, fired }, wrong };
}
