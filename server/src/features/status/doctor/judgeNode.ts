import type { Result } from '@sextant/workers/src/core/result.ts';
import { bounds } from './bounds.ts';
import { type Finding, seconds } from './finding.ts';
import { type Samples, valueOf } from './prometheusText.ts';
import type { NodeReading } from './readNode.ts';

/** What one node's probes say. @param url of its probe port, which names it until its own name is known */
export function judgeNode(url: string, reading: Result<NodeReading, string>): Finding[] {
  if (!reading.ok) return [{ level: 'problem', area: 'node', text: `${url}: ${reading.error}`, runbook: 'node-down' }];
  const { readiness, first, second } = reading.value;
  const now = second ?? first;
  const labels = now.get('sextant_info')?.[0]?.labels;
  const name =
    labels === undefined ? url : `${labels['role'] ?? ''} ${labels['version'] ?? ''} on ${labels['node'] ?? ''}`;
  return [
    judgeReadiness(name, readiness),
    ...judgeThreads(name, now),
    ...judgeClocks(name, now),
    ...judgeStreams(name, now),
    ...judgeCalls(name, first, second),
    ...judgeMoney(now),
  ];
}

function judgeReadiness(name: string, { status, reasons }: NodeReading['readiness']): Finding {
  if (status === 'ready') return { level: 'ok', area: 'node', text: `${name}: ready` };
  const text = `${name}: ${status.replace('_', ' ')}. ${reasons.map(({ message }) => message).join(' ')}`;
  return { level: status === 'degraded' ? 'warning' : 'problem', area: 'node', text, runbook: 'node-not-ready' };
}

function judgeThreads(name: string, samples: Samples): Finding[] {
  const lags = {
    server: valueOf(samples, 'nodejs_eventloop_lag_p99_seconds'),
    watch: valueOf(samples, 'sextant_event_loop_lag_seconds', { thread: 'watch' }),
  };
  const findings: Finding[] = Object.entries(lags).flatMap(([thread, lagS]) =>
    lagS === undefined || lagS <= bounds.loopLagS
      ? []
      : [
          {
            level: 'warning',
            area: 'node',
            text: `${name}: the event loop of the ${thread} thread is ${seconds(lagS)} late`,
            runbook: 'event-loop-slow',
          },
        ],
  );
  const reportS = valueOf(samples, 'sextant_watch_report_age_seconds');
  if (reportS !== undefined && reportS > bounds.watchReportS)
    findings.push({
      level: 'problem',
      area: 'node',
      text: `${name}: the watch thread has not reported for ${seconds(reportS)}; stops and alerts may wait`,
      runbook: 'watch-silent',
    });
  const eventS = valueOf(samples, 'sextant_event_lag_seconds');
  if (eventS !== undefined && eventS > bounds.eventLagS)
    findings.push({
      level: 'warning',
      area: 'node',
      text: `${name}: notices arrive ${seconds(eventS)} late`,
      runbook: 'events-late',
    });
  return findings;
}

/** Offsets of all clocks that the node has measured. */
function judgeClocks(name: string, samples: Samples): Finding[] {
  const offsets = samples.get('sextant_clock_offset_seconds') ?? [];
  if (offsets.length === 0) return [];
  const worst = Math.max(...offsets.map(({ value }) => Math.abs(value)));
  const list = offsets.map(
    ({ labels, value }) => `${labels['clock'] ?? ''} ${value >= 0 ? '+' : ''}${value.toFixed(2)} s`,
  );
  const text = `${name}: ${list.join(', ')}`;
  if (worst <= bounds.clockWarnS) return [{ level: 'ok', area: 'clocks', text }];
  return [{ level: worst > bounds.clockS ? 'problem' : 'warning', area: 'clocks', text, runbook: 'clock-off' }];
}

function judgeStreams(name: string, samples: Samples): Finding[] {
  const old = (samples.get('sextant_data_age_seconds') ?? []).filter(({ value }) => value > bounds.dataAgeS);
  const findings: Finding[] = old.map(({ labels, value }) => ({
    level: 'problem',
    area: 'venues',
    text: `${name}: ${labels['topic'] ?? ''} of ${labels['exchange'] ?? ''} are ${seconds(value)} old${inThread(labels)}`,
    runbook: 'data-old',
  }));
  for (const { labels, value } of samples.get('sextant_exchange_budget_used') ?? []) {
    const capacity = samples
      .get('sextant_exchange_budget_capacity')
      ?.find((each) => ['exchange', 'budget', 'thread'].every((key) => each.labels[key] === labels[key]))?.value;
    if (capacity === undefined || value <= bounds.budgetRatio * capacity) continue;
    findings.push({
      level: 'warning',
      area: 'venues',
      text: `${name}: ${labels['exchange'] ?? ''} ${labels['budget'] ?? ''}, ${value.toFixed(0)} of ${capacity.toFixed(0)} used${inThread(labels)}`,
      runbook: 'budget-used',
    });
  }
  return findings;
}

const inThread = ({ thread }: Record<string, string>): string => (thread === undefined ? '' : ` (${thread} thread)`);

interface CallSums {
  seconds: number;
  count: number;
  failed: number;
}

/** Sums over outcomes and threads, by service. */
function sumsOf(samples: Samples): Map<string, CallSums> {
  const sums = new Map<string, CallSums>();
  const name = 'sextant_outside_call_duration_seconds';
  for (const suffix of ['sum', 'count'] as const)
    for (const { labels, value } of samples.get(`${name}_${suffix}`) ?? []) {
      const service = labels['service'] ?? '';
      const sum = sums.get(service) ?? { seconds: 0, count: 0, failed: 0 };
      if (suffix === 'sum') sum.seconds += value;
      else {
        sum.count += value;
        if (labels['outcome'] === 'failed') sum.failed += value;
      }
      sums.set(service, sum);
    }
  return sums;
}

/** Calls of the node to other services: of these seconds where there are any, otherwise since its start. Slowest first. */
function judgeCalls(name: string, first: Samples, second: Samples | undefined): Finding[] {
  const before = sumsOf(first);
  const rows = [...sumsOf(second ?? first)].flatMap(([service, total]) => {
    const start = before.get(service);
    const isRecent = second !== undefined && total.count > (start?.count ?? 0);
    const from = isRecent && start !== undefined ? start : { seconds: 0, count: 0, failed: 0 };
    const count = total.count - from.count;
    if (count <= 0) return [];
    const ms = ((total.seconds - from.seconds) / count) * 1000;
    return [{ service, count, ms, failed: total.failed - from.failed, when: isRecent ? 'now' : 'since the start' }];
  });
  if (rows.length === 0) return [];
  const list = rows
    .sort((a, b) => b.ms - a.ms)
    .map(({ service, count, ms, failed, when }) => {
      const failures = failed === 0 ? '' : `, ${failed} failed`;
      return `${service} ${ms.toFixed(0)} ms (${count} ${when}${failures})`;
    });
  return [{ level: 'ok', area: 'venues', text: `${name}, calls, slowest first: ${list.join(', ')}` }];
}

function judgeMoney(samples: Samples): Finding[] {
  const findings: Finding[] = [];
  const ledger = valueOf(samples, 'sextant_ledger_differences');
  if (ledger !== undefined)
    findings.push(
      ledger === 0
        ? { level: 'ok', area: 'money', text: 'the ledger adds up' }
        : {
            level: 'problem',
            area: 'money',
            text: `the ledger has ${ledger} differences`,
            runbook: 'ledger-differs',
          },
    );
  for (const { labels, value } of samples.get('sextant_differences') ?? [])
    if (value > 0)
      findings.push({
        level: 'problem',
        area: 'money',
        text: `${labels['comparison'] ?? ''} have a difference`,
        runbook: labels['comparison'] === 'payments' ? 'payments-differ' : 'reconciliation-differs',
      });
  const unpriced = valueOf(samples, 'sextant_unpriced_positions') ?? 0;
  if (unpriced > 0)
    findings.push({
      level: 'problem',
      area: 'money',
      text: `${unpriced} open positions have no price; their stops wait`,
      runbook: 'positions-unpriced',
    });
  return findings;
}
