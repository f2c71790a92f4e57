import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { describe, expect, it } from 'vitest';
import { queueAgeBoundsS } from '../../../../src/features/status/doctor/bounds.ts';
import { bytes, type Finding, seconds } from '../../../../src/features/status/doctor/finding.ts';
import { judge, type Readings } from '../../../../src/features/status/doctor/judge.ts';
import { readDoctorOptions } from '../../../../src/features/status/doctor/options.ts';
import { readSamples, valueOf } from '../../../../src/features/status/doctor/prometheusText.ts';
import type { DatabaseReading } from '../../../../src/features/status/doctor/readDatabase.ts';
import type { NodeReading } from '../../../../src/features/status/doctor/readNode.ts';
import { reportText } from '../../../../src/features/status/doctor/runDoctor.ts';

const storage = { size: 2e9, wal: 1000, notice_queue: 0, connections_max: 100, connections: { sextant: 20 } };
const stored: DatabaseReading = {
  version: '17.2',
  responseMs: 2,
  clock: { offsetMs: 40, errorMs: 5 },
  queues: [{ queue: 'scan', waiting: 2, running: 1, age_s: 3 }],
  leaders: [
    { name: 'alerts', epoch: 4, node: 'b 2', is_led: true },
    { name: 'positions', epoch: 9, node: 'a 1', is_led: true },
  ],
  storage,
  venues: [
    { part: 'binance', median_ms: 120, probes: 15, failures: 0 },
    { part: 'okx', median_ms: 300, probes: 15, failures: 1 },
  ],
  tables: [{ name: 'public.history_chunks', bytes: 1.2e9 }],
  later: { storage: { ...storage, wal: 1000 + 30_000 }, seconds: 3 },
};
const metrics = `# HELP sextant_info Version and role of the node.
sextant_info{version="0.1.0",role="worker",node="a 1"} 1
nodejs_eventloop_lag_p99_seconds 0.012
sextant_clock_offset_seconds{clock="database"} 0.04
sextant_clock_offset_seconds{clock="okx"} -0.3
sextant_data_age_seconds{exchange="okx",topic="prices"} 1.5
sextant_ledger_differences{check="invariants"} 0
`;
const node = (first: string, second = first): NodeReading => ({
  readiness: { status: 'ready', reasons: [] },
  first: readSamples(first),
  second: readSamples(second),
});
const readings = (changes: Partial<Readings> = {}, database: Partial<DatabaseReading> = {}): Readings => ({
  nodes: [{ url: 'http://10.0.0.5:9464', reading: ok(node(metrics)) }],
  database: ok({ ...stored, ...database }),
  disk: { freeBytes: 60e9, totalBytes: 100e9 },
  before: undefined,
  nowMs: 1_000_000_000_000,
  ...changes,
});
const bad = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, area, text }) => `${level} ${area}: ${text}`);
const withMetrics = (...lines: string[]) =>
  judge(readings({ nodes: [{ url: 'x', reading: ok(node(`${metrics}${lines.join('\n')}\n`)) }] }));

describe('the doctor of a sound installation', () => {
  it('NODE-080 NODE-081 says who leads, how fast each exchange is, the clocks and the growth of the disk', () => {
    const findings = judge(readings());
    expect(bad(findings)).toEqual([]);
    const texts = findings.map(({ text }) => text);
    expect(texts).toContain('positions: a 1, epoch 9');
    expect(texts).toContain('2 jobs wait, 1 run, none is late');
    expect(texts).toContain('worker 0.1.0 on a 1: database +0.04 s, okx -0.30 s');
    // Slowest first.
    expect(texts.filter((text) => text.includes('median'))).toEqual([
      'okx: median 300 ms, 1 of 15 probes failed in 15 minutes',
      'binance: median 120 ms, 0 of 15 probes failed in 15 minutes',
    ]);
    // 30,000 bytes in 3 s.
    expect(texts).toContain('log written now: 10.0 kB/s, 864 MB a day');
    expect(texts).toContain('database 2.0 GB (public.history_chunks 1.2 GB)');
    expect(texts).toContain('growth is known from the next run on');
  });

  it('NODE-081 states the growth since the last run', () => {
    const before = { atMs: 1_000_000_000_000 - 2 * 86_400_000, database: 'x', size: 1.9e9 };
    const texts = judge(readings({ before })).map(({ text }) => text);
    expect(texts).toContain('grown 100 MB in 2.0 days, 50.0 MB a day');
  });

  it('NODE-080 measures calls by the two readings, and since the start without a call in between', () => {
    const sums = (binance: [number, number], okx: [number, number]) =>
      [
        metrics,
        `sextant_outside_call_duration_seconds_sum{service="binance",outcome="ok"} ${binance[0]}`,
        `sextant_outside_call_duration_seconds_count{service="binance",outcome="ok"} ${binance[1]}`,
        `sextant_outside_call_duration_seconds_sum{service="okx",outcome="failed"} ${okx[0]}`,
        `sextant_outside_call_duration_seconds_count{service="okx",outcome="failed"} ${okx[1]}`,
      ].join('\n');
    const reading = ok(node(sums([100, 50], [4, 2]), sums([100.6, 53], [4, 2])));
    const texts = judge(readings({ nodes: [{ url: 'x', reading }] })).map(({ text }) => text);
    expect(texts).toContain(
      'worker 0.1.0 on a 1, calls, slowest first: okx 2000 ms (2 since the start, 2 failed), binance 200 ms (3 now)',
    );
  });
});

describe('the doctor of a sick installation', () => {
  it('NODE-080 names each queue that is behind, the oldest first', () => {
    const queues = [
      { queue: 'scan', waiting: 12, running: 2, age_s: queueAgeBoundsS.scan + 15 },
      { queue: 'search', waiting: 1, running: 0, age_s: queueAgeBoundsS.search - 1 },
      { queue: 'email', waiting: 3, running: 0, age_s: queueAgeBoundsS.email + 1 },
      { queue: 'notification', waiting: 0, running: 0, age_s: null },
    ];
    expect(bad(judge(readings({}, { queues })))).toEqual([
      'problem queues: email is behind: 3 wait, 0 run, oldest 301 s (bound 300 s)',
      'problem queues: scan is behind: 12 wait, 2 run, oldest 45 s (bound 30 s)',
    ]);
  });

  it('NODE-080 names a leadership without a leader; one that only refreshes is a warning', () => {
    const leaders = [
      { name: 'positions', epoch: 9, node: 'a 1', is_led: false },
      { name: 'news', epoch: 2, node: 'a 1', is_led: false },
    ];
    expect(bad(judge(readings({}, { leaders })))).toEqual([
      'problem leaders: positions: no node leads',
      'warning leaders: news: no node leads',
    ]);
    expect(bad(judge(readings({}, { leaders: [] })))).toEqual(['warning leaders: no worker has ever led']);
  });

  it('NODE-080 names a slow, a failing and an absent exchange', () => {
    const venues = [
      { part: 'binance', median_ms: 1501, probes: 15, failures: 0 },
      { part: 'bybit', median_ms: 90, probes: 15, failures: 2 },
      { part: 'okx', median_ms: null, probes: 15, failures: 15 },
    ];
    expect(bad(judge(readings({}, { venues })))).toEqual([
      'problem venues: okx: no response, 15 of 15 probes failed in 15 minutes',
      'warning venues: binance: median 1501 ms, 0 of 15 probes failed in 15 minutes',
      'warning venues: bybit: median 90 ms, 2 of 15 probes failed in 15 minutes',
    ]);
    expect(bad(judge(readings({}, { venues: [] })))).toEqual(['warning venues: no probe of an exchange in 15 minutes']);
  });

  it('NODE-080 names clocks that are off: beyond 2 s a warning, beyond 30 s a problem', () => {
    const off = (offsetMs: number, errorMs = 10) => bad(judge(readings({}, { clock: { offsetMs, errorMs } })));
    expect(off(2011)).toEqual(['warning clocks: this machine is 2.0 s behind the database']);
    expect(off(-31_000)).toEqual(['problem clocks: this machine is 31 s ahead of the database']);
    // A slow response proves little.
    expect(off(31_000, 30_000)).toEqual([]);
    expect(bad(withMetrics('sextant_clock_offset_seconds{clock="bybit"} 45'))[0]).toMatch(/^problem clocks: .*bybit/);
  });

  it('NODE-080 names old data, a used up budget and a silent watch thread', () => {
    const findings = withMetrics(
      'sextant_data_age_seconds{exchange="bybit",topic="candles",thread="watch"} 61',
      'sextant_exchange_budget_used{exchange="binance",budget="weight"} 1900',
      'sextant_exchange_budget_used{exchange="binance",budget="weight",thread="watch"} 5',
      'sextant_exchange_budget_capacity{exchange="binance",budget="weight"} 1920',
      'sextant_exchange_budget_capacity{exchange="binance",budget="weight",thread="watch"} 1920',
      'sextant_watch_report_age_seconds 40',
      'sextant_event_lag_seconds 1.5',
    );
    expect(bad(findings)).toEqual([
      'problem node: worker 0.1.0 on a 1: the watch thread has not reported for 40 s; stops and alerts may wait',
      'warning node: worker 0.1.0 on a 1: notices arrive 1.5 s late',
      'problem venues: worker 0.1.0 on a 1: candles of bybit are 61 s old (watch thread)',
      'warning venues: worker 0.1.0 on a 1: binance weight, 1900 of 1920 used',
    ]);
  });

  it('NODE-080 names money that differs', () => {
    const lines = metrics.replace('sextant_ledger_differences{check="invariants"} 0', '');
    const more =
      'sextant_ledger_differences{check="invariants"} 2\nsextant_differences{comparison="payments"} 1\nsextant_unpriced_positions{market="served"} 3\n';
    const reading = ok(node(`${lines}${more}`));
    expect(bad(judge(readings({ nodes: [{ url: 'x', reading }] })))).toEqual([
      'problem money: the ledger has 2 differences',
      'problem money: payments have a difference',
      'problem money: 3 open positions have no price; their stops wait',
    ]);
  });

  it('NODE-080 names a node that is away or not ready, connections, a full disk and a database that is away', () => {
    const nodes = [
      { url: 'http://10.0.0.6:9464', reading: failWith('nothing listens there') },
      {
        url: 'x',
        reading: ok<NodeReading>({
          ...node(metrics),
          readiness: { status: 'not_ready', reasons: [{ code: 'draining', message: 'It stops.' }] },
        }),
      },
    ];
    const full = { ...storage, connections: { sextant: 70, 'sextant jobs': 21 }, notice_queue: 0.3 };
    const disk = { freeBytes: 4e9, totalBytes: 100e9 };
    expect(bad(judge(readings({ nodes, disk }, { storage: full })))).toEqual([
      'problem node: http://10.0.0.6:9464: nothing listens there',
      'problem node: worker 0.1.0 on a 1: not ready. It stops.',
      'problem database: PostgreSQL 17.2, 2 ms, 91 of 100 connections',
      'problem database: the queue of notices is 30 % full: a listener hangs',
      'problem disk: DATA_DIR: 4.0 GB of 100 GB free',
    ]);
    expect(bad(judge(readings({ database: failWith('connection refused') })))).toEqual([
      'problem database: cannot be read: connection refused',
    ]);
  });
});

describe('texts and arguments', () => {
  it('NODE-080 the report has a line for each finding and counts problems', () => {
    const findings = judge(readings({ database: failWith('no') }));
    const text = reportText({ findings, tookMs: 4123 });
    expect(text).toContain('PROBLEM  database  cannot be read: no  (docs/runbooks.md#database-down)\n');
    expect(text.endsWith('1 problem, 0 warnings, 4.1 s\n')).toBe(true);
  });

  it('reads samples with escapes, and skips what is none', () => {
    const samples = readSamples('a{x="1\\"2\\\\n",y=""} 3\n# TYPE a gauge\nb +Inf\n<html> 1 2\nc 1e-3 1700000000000\n');
    expect(samples.get('a')).toEqual([{ labels: { x: '1"2\\n', y: '' }, value: 3 }]);
    expect([valueOf(samples, 'b'), valueOf(samples, 'c'), valueOf(samples, 'd')]).toEqual([Infinity, 0.001, undefined]);
    expect(samples.size).toBe(3);
  });

  it('formats sizes and times', () => {
    expect([0, 999, 1000, 123_456, 5e9, -2.5e6].map(bytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '123 kB',
      '5.0 GB',
      '-2.5 MB',
    ]);
    expect([0.04, 9.94, 61.4].map(seconds)).toEqual(['0.0 s', '9.9 s', '61 s']);
  });

  it('NODE-082 reads arguments, and says what is wrong with them', () => {
    const own = 'http://127.0.0.1:9464';
    expect(readDoctorOptions([], own)).toEqual(ok({ probes: [own], isJson: false }));
    expect(readDoctorOptions(['--json', '--probe', 'http://a:1', '--probe', 'http://b:2'], own)).toEqual(
      ok({ probes: ['http://a:1', 'http://b:2'], isJson: true }),
    );
    expect(readDoctorOptions([], undefined)).toEqual(ok({ probes: [], isJson: false }));
    expect(readDoctorOptions(['--probe'], own)).toEqual(failWith('--probe needs a URL, such as http://127.0.0.1:9464'));
    expect(readDoctorOptions(['--fix'], own)).toMatchObject({ ok: false });
  });
});
